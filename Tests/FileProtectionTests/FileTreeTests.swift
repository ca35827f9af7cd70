import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct `A walk through a directory` {
    private let folder: Folder
    private let keys = MemoryFileKeys()

    init() throws {
        folder = try Folder()
        ["top", "top/a", "top/b", "outside"].forEach { _ = mkdir(folder($0), 0o700) }
        try ["top/a/1", "top/b/2", "outside/2"].forEach(make)
        try replace(folder("top/plain"), pattern(10))
        symlink("../outside", folder("top/link"))
    }

    private func make(_ name: String) throws {
        try FileContainer.create(folder(name), .none, keys.source).close()
    }

    /// What a walk finds, without the folder's path.
    private func walk(_ each: (String) -> Void = { _ in }) -> [String] {
        var found: [String] = []
        FileTree.walk(folder("top")) { finding in
            let text =
                switch finding {
                case .file(let path, _): path
                case .leftOut(_, let reason): "! " + reason
                }
            found.append(text.replacingOccurrences(of: folder("top") + "/", with: ""))
            each(found[found.count - 1])
        }
        return found
    }

    @Test func `finds the protected files, and none behind links`() {
        #expect(walk() == ["a/1", "b/2"])
    }

    @Test func `does not follow a link that appears meanwhile`() throws {
        let found = walk { path in
            guard path == "a/1" else { return }
            rename(folder("top/b"), folder("moved"))
            symlink("../outside", folder("top/b"))
        }
        // It looks at what has the name now: a link.
        #expect(found == ["a/1"])
        let top = try OpenDirectory(folder("top"))
        #expect(throws: FileFailure.self) { try OpenDirectory("b", in: top) }
    }

    @Test func `opens no other file than the one that it found`() throws {
        var found: FileIdentity?
        FileTree.walk(folder("top/b")) { finding in
            if case .file(_, let identity) = finding { found = identity }
        }
        let identity: FileIdentity = try #require(found)
        try FileIdentity.$expected.withValue(identity) {
            try FileContainer.open(folder("top/b/2"), isWritable: true, keys.source).close()
            rename(folder("top/b"), folder("moved"))
            symlink("../outside", folder("top/b"))
            #expect(throws: FileFailure.busy(folder("top/b/2"))) {
                try FileContainer.open(folder("top/b/2"), isWritable: true, keys.source)
            }
        }
    }

    @Test func `says what it leaves out`() throws {
        let garbled = Array((folder("top") + "/na").utf8CString.dropLast()) + [-17, 0]
        mkdir(garbled, 0o700)
        #expect(walk() == ["! na\u{FFFD} was left out: its name is not UTF-8", "a/1", "b/2"])
        let refusal = FileFailure.system(folder("none"), verb: "opened", code: ENOENT)
        let none = FileTreeFindings.of(folder("none"))
        #expect(none == [.leftOut(path: folder("none"), refusal.description)])
    }

    @Test func `passes over files in the making, and no others with such names`() throws {
        let name = Leftovers.name(for: "1", .protecting)
        let file = try FileContainer.create(folder("top/a/" + name), .none, keys.source)
        try make("top/a/.mine.1.protecting")
        let own = try RawFile(opening: folder("top/a/.mine.1.protecting"), isWritable: true)
        own.finish()
        #expect(walk() == ["a/.mine.1.protecting", "a/1", "b/2"])
        #expect(access(folder("top/a/" + name), F_OK) == 0)
        try file.close()
        #expect(walk() == ["a/.mine.1.protecting", "a/1", "b/2"])
        #expect(access(folder("top/a/" + name), F_OK) != 0)
    }

    @Test func `leaves out what is too deep`() throws {
        let deep = (0..<FileTree.depthLimit).reduce(folder("top/a")) { path, _ in
            mkdir(path + "/d", 0o700)
            return path + "/d"
        }
        try replace(deep + "/plain", [1])
        let found = walk()
        #expect(found.count == 3 && found[1].contains("left out"))
    }
}

/// Everything that a walk finds.
private enum FileTreeFindings {
    static func of(_ path: String) -> [FileTree.Finding] {
        var found: [FileTree.Finding] = []
        FileTree.walk(path) { found.append($0) }
        return found
    }
}
