import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct `The place of a protected file` {
    private let folder: Folder
    private let keys = MemoryFileKeys()

    init() throws {
        folder = try Folder()
        ["d", "outside"].forEach { _ = mkdir(folder($0), 0o700) }
        try replace(folder("d/a"), pattern(100))
        try replace(folder("outside/a"), [7])
    }

    /// Moves the directory away, and puts a link in its place.
    private func exchange() {
        rename(folder("d"), folder("moved"))
        symlink("outside", folder("d"))
    }

    private func expectNothingOutside() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("outside"))
        #expect(names == ["a"])
        #expect(try contents(folder("outside/a")) == [7])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("moved")) == ["a"])
    }

    @Test func `stays the same directory when another one gets its path`() throws {
        let replaced = try ReplacedFile(folder("d/a"), keys.source)
        var new: NewFile? = try NewFile(over: replaced, nil, keys.source)
        exchange()
        try new?.publish()
        new = nil
        try expectNothingOutside()
        #expect(FileContainer.isProtected(folder("moved/a")))
    }

    /// A child has a copy of every descriptor until it runs its program.
    @Test func `is free at once after its file is closed, although a program starts`() throws {
        try PlainFile.protect(folder("d/a"), nil, keys.source)
        let file = try FileContainer.open(folder("d/a"), isWritable: true, keys.source)
        let copy = fcntl(file.file.descriptor, F_DUPFD_CLOEXEC, 3)
        defer { close(copy) }
        #expect(copy >= 0)
        try file.close()
        try FileContainer.open(folder("d/a"), isWritable: true, keys.source).close()
    }

    @Test func `loses no file in the making when it is moved`() throws {
        try PlainFile.protect(folder("d/a"), nil, keys.source)
        var isMoved = false
        _ = try PlainFile.unprotect(folder("d/a"), keys.source) { _ throws(FileFailure) in
            if !isMoved { exchange() }
            isMoved = true
        }
        try expectNothingOutside()
        #expect(try contents(folder("moved/a")) == pattern(100))
    }

    @Test(arguments: ["\u{301}sub", "\u{E33}", "\u{200D}x"])
    func `is cut at its slashes, whatever begins a name`(name: String) throws {
        try DirectoryClass.set(.complete, of: folder("d"))
        let path = folder("d") + "/" + name
        #expect(ResolvedPath.name(of: path).utf8.elementsEqual(name.utf8))
        #expect(ResolvedPath.directory(of: path) == folder("d"))
        #expect(DirectoryClass.inherited(by: path) == .complete)
        #expect(Leftovers.isOne(Leftovers.name(for: name, .protecting)))
        mkdir(path, 0o700)
        let new = try NewFile(path + "/f", nil, keys.source)
        try new.publish()
        #expect(new.container.fileClass == .complete)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["f"])
    }

    @Test(arguments: [
        (0o700, FileClass.none, FileClass.none),
        (0o770, .none, .completeUntilFirstUserAuthentication),
        (0o770, .complete, .complete), (0o1777, .none, .none),
    ])
    func `has the class that its directory states, or a stricter one where others write`(
        mode: Int,
        stated: FileClass,
        counts: FileClass
    ) throws {
        try DirectoryClass.set(stated, of: folder("d"))
        chmod(folder("d"), mode_t(mode))
        #expect(DirectoryClass.inherited(by: folder("d/new")) == counts)
        chmod(folder.path, 0o700)
        try DirectoryClass.set(.completeUnlessOpen, of: folder.path)
        let above: FileClass = mode & 0o1022 == 0o020 ? .completeUnlessOpen : counts
        let both = stated == .complete ? FileClass.complete : above
        #expect(DirectoryClass.inherited(by: folder("d/new")) == both)
    }

    @Test func `is not beside a keychain`() throws {
        try replace(folder("d/keybag"), [1])
        try replace(folder("d/keychain.db"), [1])
        let path = folder("d/a")
        let refusal = FileFailure.inKeychain(path)
        #expect(throws: refusal) { try PlainFile.protect(path, nil, keys.source) }
        #expect(throws: refusal) { try NewFile(path, nil, keys.source) }
        #expect(throws: refusal) { try ReplacedFile(path, keys.source) }
        #expect(throws: refusal) { try FileDestruction.remove(path) }
        #expect(try contents(path) == pattern(100))
    }

    @Test func `is what a link to nothing leads to`() throws {
        symlink("../d/new", folder("outside/link"))
        symlink(folder("outside/link"), folder("far"))
        let found = try ResolvedPath.ofNew(folder("far"))
        try replace(found, [1])
        #expect(try contents(folder("d/new")) == [1])
        symlink("round", folder("round"))
        #expect(throws: FileFailure.self) { try ResolvedPath.ofNew(folder("round")) }
    }
}
