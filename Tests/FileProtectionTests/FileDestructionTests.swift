import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct `A file that is deleted` {
    private let folder: Folder
    private let keys = MemoryFileKeys()

    init() throws {
        folder = try Folder()
        try make("a")
        try make("b")
        try replace(folder("plain"), pattern(9000))
    }

    private func make(_ name: String) throws {
        let file = try FileContainer.create(folder(name), .none, keys.source)
        try file.put(pattern(1000))
        try file.close()
    }

    /// Another file, which takes the name just then.
    enum Other: String, CaseIterable { case b, plain, link, folder }

    @Test(arguments: FileDestruction.Moment.allCases, Other.allCases)
    func `stays when another one takes its name, and so does that`(
        moment: FileDestruction.Moment,
        other: Other
    ) throws {
        symlink("plain", folder("link"))
        mkdir(folder("folder"), 0o700)
        let before = try everything()
        #expect(throws: FileFailure.busy(folder("a"))) {
            try FileDestruction.remove(folder("a")) { passed in
                guard passed == moment else { return }
                rename(folder("a"), folder("moved"))
                rename(folder(other.rawValue), folder("a"))
            }
        }
        rename(folder("a"), folder(other.rawValue))
        rename(folder("moved"), folder("a"))
        #expect(try everything() == before)
    }

    /// The names, and what the files contain.
    private func everything() throws -> [String: [UInt8]] {
        let names = folder.names
        let found = try names.map { $0 == "folder" ? [] : try contents(folder($0)) }
        return Dictionary(uniqueKeysWithValues: zip(names, found))
    }

    @Test func `stays whole while it has another name`() throws {
        link(folder("a"), folder("snapshot"))
        let whole = try contents(folder("a"))
        let refusal = FileFailure.system(
            folder("a"),
            verb: "deleted while it has other names",
            code: EMLINK
        )
        #expect(throws: refusal) { try FileDestruction.remove(folder("a")) }
        #expect(try contents(folder("snapshot")) == whole)
    }

    @Test func `stays whole where its name cannot be removed`() throws {
        let whole = try contents(folder("a"))
        let refusal = FileFailure.system(folder("a"), verb: "deleted", code: ENOENT)
        #expect(throws: refusal) {
            try FileDestruction.remove(folder("a")) { passed in
                if passed == .named { rename(folder("a"), folder("moved")) }
            }
        }
        #expect(try contents(folder("moved")) == whole)
    }

    @Test func `is a leftover from the moment on in which it is out of the way`() throws {
        var isMarked = false
        try FileDestruction.remove(folder("a")) { passed in
            guard passed == .named else { return }
            isMarked = (try? RawFile(opening: folder("a"), isWritable: false))?.isUnfinished == true
        }
        #expect(isMarked)
    }

    @Test func `leaves nothing behind, also through a link`() throws {
        symlink("a", folder("link"))
        try FileDestruction.remove(folder("link"))
        #expect(folder.names == ["b", "link", "plain"])
    }
}
