import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

/// What somebody else does to a file while a new one is made for its name.
private enum Meddling: CaseIterable {
    case savesByRename, savesInPlace, addsName, removes

    /// - Returns: What the name leads to from then on; nil for nothing.
    func act(_ path: String) throws -> [UInt8]? {
        switch self {
        case .savesByRename:
            try replace(path + ".tmp", [7, 7])
            #expect(rename(path + ".tmp", path) == 0)
        case .savesInPlace:
            // As `rsync -t` does, with the old date and size.
            var facts = stat()
            #expect(stat(path, &facts) == 0)
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            #expect(pwrite(descriptor, [7], 1, facts.st_size - 1) == 1)
            #expect(futimens(descriptor, [facts.st_atim, facts.st_mtim]) == 0)
        case .addsName: #expect(link(path, path + ".link") == 0)
        case .removes: #expect(unlink(path) == 0)
        }
        return self == .removes ? nil : try contents(path)
    }
}

@Suite struct `A file that is changed while its successor is made` {
    private let folder: Folder
    private let keys = MemoryFileKeys()

    init() throws { folder = try Folder() }

    private func makeProtected() throws {
        let file = try FileContainer.create(folder("a"), .none, keys.source)
        try file.put(pattern(100))
        try file.close()
    }

    private func expectLeft(_ left: [UInt8]?) throws {
        #expect((access(folder("a"), F_OK) == 0) == (left != nil))
        if let left { #expect(try contents(folder("a")) == left) }
        #expect(folder.names.allSatisfy { !Leftovers.isOne($0) })
    }

    @Test(arguments: Meddling.allCases)
    private func `stays as it is when it was to be protected`(meddling: Meddling) throws {
        try replace(folder("a"), pattern(100))
        var left: [UInt8]?
        #expect(throws: FileFailure.busy(folder("a"))) {
            try PlainFile.protect(folder("a"), nil, keys.source) { _ throws(FileFailure) in
                left = try? meddling.act(folder("a"))
            }
        }
        try expectLeft(left)
    }

    @Test(arguments: Meddling.allCases)
    private func `stays as it is when it was to be plain`(meddling: Meddling) throws {
        try makeProtected()
        var left: [UInt8]?
        #expect(throws: FileFailure.busy(folder("a"))) {
            _ = try PlainFile.unprotect(folder("a"), keys.source) { _ throws(FileFailure) in
                left = try? meddling.act(folder("a"))
            }
        }
        try expectLeft(left)
    }

    @Test(arguments: Meddling.allCases, [true, false])
    private func `stays as it is when it was to be written`(
        meddling: Meddling,
        isProtected: Bool
    ) throws {
        if isProtected { try makeProtected() } else { try replace(folder("a"), [1, 2]) }
        let replaced = try ReplacedFile(folder("a"), keys.source)
        #expect((replaced.container != nil) == isProtected)
        var new: NewFile? = try NewFile(over: replaced, nil, keys.source)
        let left = try meddling.act(folder("a"))
        #expect(throws: FileFailure.busy(folder("a"))) { try new?.publish() }
        new = nil
        try expectLeft(left)
    }

    @Test(arguments: [Meddling.savesByRename, .addsName, .removes], [true, false])
    private func `stays as it is when that happens after the last look`(
        meddling: Meddling,
        isProtected: Bool
    ) throws {
        if isProtected { try makeProtected() } else { try replace(folder("a"), [1, 2]) }
        let replaced = try ReplacedFile(folder("a"), keys.source)
        var left: [UInt8]?
        replaced.atLastLook = { left = try? meddling.act(folder("a")) }
        var new: NewFile? = try NewFile(over: replaced, nil, keys.source)
        #expect(throws: FileFailure.busy(folder("a"))) { try new?.publish() }
        new = nil
        try expectLeft(left)
        let now = try? RawFile(opening: folder("a"), isWritable: false)
        #expect(now?.isUnfinished != true)
    }

    @Test func `is not protected while somebody has it open for writing`() throws {
        try replace(folder("a"), [1, 2])
        let writer = open(folder("a"), O_WRONLY | O_CLOEXEC)
        #expect(throws: FileFailure.busy(folder("a"))) {
            try PlainFile.protect(folder("a"), nil, keys.source)
        }
        close(writer)
        var late: Int32 = -1
        #expect(throws: FileFailure.busy(folder("a"))) {
            try PlainFile.protect(folder("a"), nil, keys.source) { _ throws(FileFailure) in
                late = open(folder("a"), O_WRONLY | O_CLOEXEC)
            }
        }
        close(late)
        #expect(folder.names == ["a"])
        #expect(try contents(folder("a")) == [1, 2])
    }

    @Test func `is replaced if nobody touched it`() throws {
        try replace(folder("a"), [1, 2])
        let replaced = try ReplacedFile(folder("a"), keys.source)
        let new = try NewFile(over: replaced, nil, keys.source)
        #expect(throws: FileFailure.busy(folder("a"))) {
            _ = try ReplacedFile(folder("a"), keys.source)
        }
        try new.publish()
        #expect(FileContainer.isProtected(folder("a")))
    }

    @Test func `is the first one's where there was none`() throws {
        let news = try [UInt8(1), 2].map { number in
            let new = try NewFile(over: ReplacedFile(folder("a"), keys.source), nil, keys.source)
            try new.container.put([number])
            return new
        }
        try news[1].publish()
        try news[1].container.close()
        #expect(throws: FileFailure.busy(folder("a"))) { try news[0].publish() }
        let file = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        #expect(try file.all() == [2])
    }

    @Test func `is known by its exact bytes`() throws {
        try replace(folder("p\u{FFFD}"), [1])
        #expect(symlink("p\u{FFFD}", folder("right")) == 0)
        #expect(try ResolvedPath.of(folder("right")).hasSuffix("/p\u{FFFD}"))
        let bytes = Array(folder("p").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        close(open(bytes, O_CREAT | O_CLOEXEC | O_WRONLY, 0o600))
        #expect(symlink(Array(bytes.suffix(3)), folder("wrong")) == 0)
        let refusal = FileFailure.system(folder("wrong"), verb: "opened", code: EILSEQ)
        #expect(throws: refusal) { try PlainFile.protect(folder("wrong"), nil, keys.source) }
    }
}
