import Foundation
import Glibc
import TestSupport
import Testing

@testable import ProgramStart

/// A directory of root's, in which tests make files of others; gone with the test.
private final class RootsDirectory {
    let path: String

    init() throws {
        // Not below a directory that everybody may write: nothing there is root's alone.
        var template = Array("/opt/keychain-root-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func file(_ name: String, _ text: String = "x\n", mode: mode_t = 0o644) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        chmod(file, mode)
        return file
    }

    @discardableResult
    func folder(_ name: String, mode: mode_t = 0o755) -> String {
        let folder = path + "/" + name
        mkdir(folder, 0o755)
        chmod(folder, mode)
        return folder
    }

    func link(_ name: String, to target: String) -> String {
        let link = path + "/" + name
        symlink(target, link)
        return link
    }
}

private let isRoot = geteuid() == 0
private let account: uid_t = 61_234

@Suite(.enabled(if: isRoot, "it makes files of root's")) struct `A file that is root's alone` {
    private let root: RootsDirectory

    init() throws { root = try RootsDirectory() }

    private func problem(_ path: String) -> String? {
        do throws(RootFileProblem) {
            _ = try RootFile.resolve(path)
            return nil
        } catch { return error.sentence }
    }

    @Test func `is found through links, also relative ones and those of directories`() throws {
        root.folder("bin")
        let file = try root.file("bin/tool", mode: 0o755)
        #expect(try RootFile.resolve(file) == file)
        let direct = root.link("direct", to: file)
        let relative = root.link("relative", to: "bin/../bin/./tool")
        let directory = root.link("directory", to: "bin")
        let chain = root.link("chain", to: "direct")
        for path in [direct, relative, directory + "/tool", chain, root.path + "//bin/tool"] {
            #expect(try RootFile.resolve(path) == file)
        }
        #expect(try RootFile.resolve(root.path + "/nothing") == nil)
        #expect(try RootFile.resolve(file + "/below") == nil)
        #expect(try RootFile.resolve(root.link("dangling", to: "nothing")) == nil)
    }

    @Test(
        .requirement("HRD-02"),
        arguments: [
            "an account's file", "a file for all", "a file for a group", "an account's directory",
            "a directory for all", "a sticky directory", "an account's link",
            "a link into an account's directory", "a link to itself", "a relative path",
        ]
    )
    func `is refused if another account can change it on any way`(kind: String) throws {
        let path: String
        switch kind {
        case "an account's file":
            path = try root.file("tool")
            chown(path, account, 0)
        case "a file for all": path = try root.file("tool", mode: 0o666)
        case "a file for a group": path = try root.file("tool", mode: 0o664)
        case "an account's directory":
            let folder = root.folder("bin")
            path = try root.file("bin/tool")
            chown(folder, account, 0)
        case "a directory for all":
            root.folder("bin", mode: 0o777)
            path = try root.file("bin/tool")
        case "a sticky directory":
            root.folder("bin", mode: 0o1777)
            path = try root.file("bin/tool")
        case "an account's link":
            path = root.link("link", to: try root.file("tool"))
            lchown(path, account, 0)
        case "a link into an account's directory":
            // Only the way that the link takes is the account's, not the file at its end.
            let folder = root.folder("bin")
            try root.file("tool")
            symlink("../tool", folder + "/tool")
            chown(folder, account, 0)
            path = root.link("link", to: "bin/tool")
        case "a link to itself": path = root.link("link", to: "link")
        default: path = "bin/tool"
        }
        #expect(problem(path) != nil, "\(kind)")
    }

    @Test(arguments: [
        ("device:/dev/tpm0\n", "device:/dev/tpm0"), ("  swtpm:path=/x y \r\n\n", "swtpm:path=/x y"),
        ("last", "last"),
    ])
    func `has one line`(text: String, line: String) throws {
        try root.file("setting", text)
        #expect(try RootSetting("setting", in: root.path).line() == line)
        #expect(try RootSetting("other", in: root.path).line() == nil)
    }

    @Test(arguments: [
        "", "\n \n", "one\ntwo\n", "a\u{0}b\n", "a\u{1b}b\n", String(repeating: "x", count: 1_100),
    ])
    func `with anything but one line is refused by its name`(text: String) throws {
        let path = try root.file("setting", text)
        let problem = #expect(throws: RootFileProblem.self) {
            try RootSetting("setting", in: root.path).line()
        }
        #expect(problem?.sentence.contains(path) == true)
    }

    @Test func `with bytes that are no text is refused, and so is a directory`() throws {
        let path = root.path + "/setting"
        try Data([0xFF, 0xFE, 0x0A]).write(to: URL(filePath: path))
        chmod(path, 0o644)
        #expect(throws: RootFileProblem.self) { try RootSetting("setting", in: root.path).line() }
        root.folder("folder")
        #expect(throws: RootFileProblem.self) { try RootSetting("folder", in: root.path).line() }
    }
}
