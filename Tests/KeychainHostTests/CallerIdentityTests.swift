import EngineTestSupport
import Foundation
import KeychainHost
import KeychainModel
import TestSupport
import Testing

/// The directory of a program that declares who it is.
private final class ProgramDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/program-" + UUID().uuidString
        try require(mkdir(path, 0o700) == 0, path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
    }

    func caller(
        _ variables: [String: String] = [:],
        named name: String = "mail-reader"
    ) throws -> Caller {
        let environment = ProcessEnvironment(executable: path + "/" + name) { variables[$0] }
        return try CallerIdentity(environment).caller(on: .host)
    }
}

@Suite struct `A program's identity` {
    private let program: ProgramDirectory

    init() throws { program = try ProgramDirectory() }

    @Test(.requirement("GRP-02"))
    func `is its name when it declares nothing`() throws {
        let caller = try program.caller()
        #expect(caller.accessGroups == ["mail-reader"])
        #expect(caller.defaultGroup == "mail-reader")
    }

    /// Items that it stored before it was renamed stay in sight.
    @Test(.requirement("GRP-02", "USE-04"))
    func `is its former name for the command`() throws {
        #expect(try program.caller(named: "keychainctl").defaultGroup == "keychain")
    }

    @Test func `is the bundle identifier beside it`() throws {
        let key = "<key>CFBundleIdentifier</key><string>com.example.mail</string>"
        try program.write(propertyList(key), to: "Info.plist")
        #expect(try program.caller().defaultGroup == "com.example.mail")
    }

    @Test(arguments: ["", "no list", propertyList("<key>CFBundleName</key><string>Mail</string>")])
    func `is its name when the list beside it names no bundle`(text: String) throws {
        try program.write(text, to: "Info.plist")
        #expect(try program.caller().defaultGroup == "mail-reader")
    }

    @Test func `is what the entitlements beside it say`() throws {
        try program.write(
            propertyList("<key>CFBundleIdentifier</key><string>other</string>"),
            to: "Info.plist"
        )
        try program.write(
            propertyList(identifierEntry + groupEntry("TEAM.shared")),
            to: "mail-reader.entitlements"
        )
        let caller = try program.caller()
        #expect(caller.accessGroups == ["TEAM.shared", "TEAM.com.example.mail"])
        #expect(caller.defaultGroup == "TEAM.shared")
    }

    @Test func `is what the named entitlements say, before those beside it`() throws {
        try program.write(propertyList(groupEntry("TEAM.beside")), to: "mail-reader.entitlements")
        try program.write(propertyList(groupEntry("TEAM.named")), to: "named")
        let caller = try program.caller(["KEYCHAIN_ENTITLEMENTS": program.path + "/named"])
        #expect(caller.accessGroups == ["TEAM.named"])
    }

    @Test func `is unknown when the named entitlements are missing`() throws {
        let path = program.path + "/nowhere"
        let error = #expect(throws: KeychainError(.missingEntitlement, "")) {
            try program.caller(["KEYCHAIN_ENTITLEMENTS": path])
        }
        #expect(try #require(error).reason.contains(path))
    }

    @Test(arguments: [
        "", "no list", "<plist></plist>", "<?xml version=\"1.0\"?><plist/>",
        propertyList("<key>keychain-access-groups</key><string>TEAM.shared</string>"),
        propertyList("<key>keychain-access-groups</key><array><integer>1</integer></array>"),
        propertyList("<key>application-identifier</key><array/>"),
        "bplist00", "{", "[1, 2]",
    ])
    func `is unknown when the entitlements make no sense`(text: String) throws {
        try program.write(text, to: "mail-reader.entitlements")
        let error = #expect(throws: KeychainError(.missingEntitlement, "")) {
            try program.caller()
        }
        #expect(try #require(error).reason.contains("mail-reader.entitlements"))
    }

    @Test func `is no group at all when the entitlements are empty`() throws {
        try program.write(propertyList(""), to: "mail-reader.entitlements")
        let caller = try program.caller()
        #expect(caller.accessGroups.isEmpty)
        #expect(caller.defaultGroup == nil)
    }
}
