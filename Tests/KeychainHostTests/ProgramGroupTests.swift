import EngineTestSupport
import Foundation
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@Suite struct `A program's default group` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    private func path(_ name: String) -> String { home.root + "/" + name }

    private func write(_ text: String, to name: String) throws {
        let folder = (path(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    private func move(_ name: String, to target: String) throws {
        try require(rename(path(name), path(target)) == 0, target)
    }

    /// The group in which a program, in a process of its own, stores what names no group.
    private func group(_ name: String, _ variables: [String: String] = [:]) throws -> String? {
        let own = ["XDG_RUNTIME_DIR": home.runtime].merging(variables) { $1 }
        let environment = ProcessEnvironment(executable: path(name)) { own[$0] }
        return try EmbeddedKeychain.open(home.home, environment).caller.defaultGroup
    }

    private static func entitlements(_ group: String) -> String {
        """
        <?xml version="1.0"?><plist version="1.0"><dict><key>keychain-access-groups</key>
        <array><string>\(group)</string></array></dict></plist>
        """
    }

    @Test(.requirement("USE-04"))
    func `stays when the executable is renamed, and when a new version follows`() throws {
        try write("version 1", to: "mailer")
        #expect(try group("mailer") == "mailer")
        try move("mailer", to: "reader")
        #expect(try group("reader") == "mailer")
        try write("version 2 of it", to: "reader")
        #expect(try group("reader") == "mailer")
        try move("reader", to: "bin-reader")
        #expect(try group("bin-reader") == "mailer")
    }

    @Test(.requirement("USE-04"))
    func `is the same for two programs of one name, each of which keeps it`() throws {
        try write("one", to: "a/tool")
        try write("another", to: "b/tool")
        #expect(try group("a/tool") == "tool")
        #expect(try group("b/tool") == "tool")
        try move("a/tool", to: "a/first")
        try move("b/tool", to: "b/second")
        #expect(try group("a/first") == "tool")
        #expect(try group("b/second") == "tool")
        try write("a third one", to: "a/tool")
        #expect(try group("a/tool") == "tool")
    }

    @Test func `is its own for a copy of another name`() throws {
        try write("one", to: "mailer")
        #expect(try group("mailer") == "mailer")
        try write("one", to: "reader")
        #expect(try group("reader") == "reader")
    }

    @Test(.requirement("USE-04"))
    func `that was declared stays when the file moves away from its declaration`() throws {
        try write("one", to: "mailer")
        #expect(try group("mailer") == "mailer")
        try write(Self.entitlements("TEAM.mail"), to: "mailer.entitlements")
        #expect(try group("mailer") == "TEAM.mail")
        try move("mailer", to: "reader")
        #expect(try group("reader") == "TEAM.mail")
    }

    @Test func `is not changed by entitlements that one call was given`() throws {
        try write("one", to: "mailer")
        try write(Self.entitlements("TEAM.once"), to: "once")
        #expect(try group("mailer", ["KEYCHAIN_ENTITLEMENTS": path("once")]) == "TEAM.once")
        #expect(try group("mailer") == "mailer")
    }

    @Test func `is none where the entitlements name none`() throws {
        try write("one", to: "mailer")
        try write("<plist version=\"1.0\"><dict/></plist>", to: "mailer.entitlements")
        #expect(try group("mailer") == nil)
    }

    @Test func `is recorded without showing the program or the group`() throws {
        try write("one", to: "mailer")
        #expect(try group("mailer") == "mailer")
        let file = try #require(try home.files()[home.directory + "/programs"])
        #expect(file.count > 5)
        #expect(!String(decoding: file, as: UTF8.self).contains("mailer"))
    }

    @Test(arguments: ["", "KCPG", "KCPG\u{1}x", "no records", "KCPG\u{2}"])
    func `is the name where the records are damaged, and they stay`(text: String) throws {
        try write("one", to: "mailer")
        #expect(try group("mailer") == "mailer")
        try move("mailer", to: "reader")
        let file = home.directory + "/programs"
        try home.write(Array(text.utf8), to: file)
        #expect(try group("reader") == "reader")
        #expect(try home.read(file) == Array(text.utf8))
    }
}
