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

/// A property list of one dictionary.
private func list(_ entries: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "">
    <plist version="1.0"><dict>\(entries)</dict></plist>
    """
}

private func groups(_ names: String...) -> String {
    let strings = names.map { "<string>\($0)</string>" }.joined()
    return "<key>keychain-access-groups</key><array>\(strings)</array>"
}

private let identifier = "<key>application-identifier</key><string>TEAM.com.example.mail</string>"

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
        try program.write(list(key), to: "Info.plist")
        #expect(try program.caller().defaultGroup == "com.example.mail")
    }

    @Test(arguments: ["", "no list", list("<key>CFBundleName</key><string>Mail</string>")])
    func `is its name when the list beside it names no bundle`(text: String) throws {
        try program.write(text, to: "Info.plist")
        #expect(try program.caller().defaultGroup == "mail-reader")
    }

    @Test func `is what the entitlements beside it say`() throws {
        try program.write(
            list("<key>CFBundleIdentifier</key><string>other</string>"),
            to: "Info.plist"
        )
        try program.write(
            list(identifier + groups("TEAM.shared")),
            to: "mail-reader.entitlements"
        )
        let caller = try program.caller()
        #expect(caller.accessGroups == ["TEAM.shared", "TEAM.com.example.mail"])
        #expect(caller.defaultGroup == "TEAM.shared")
    }

    @Test func `is what the named entitlements say, before those beside it`() throws {
        try program.write(list(groups("TEAM.beside")), to: "mail-reader.entitlements")
        try program.write(list(groups("TEAM.named")), to: "named")
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
        list("<key>keychain-access-groups</key><string>TEAM.shared</string>"),
        list("<key>keychain-access-groups</key><array><integer>1</integer></array>"),
        list("<key>application-identifier</key><array/>"),
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
        try program.write(list(""), to: "mail-reader.entitlements")
        let caller = try program.caller()
        #expect(caller.accessGroups.isEmpty)
        #expect(caller.defaultGroup == nil)
    }
}

/// One form of the entitlements, and the groups that it stands for.
private struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let accessGroups: [String]

    init(_ name: String, _ entries: String, _ accessGroups: [String]) {
        testDescription = name
        text = list(entries)
        self.accessGroups = accessGroups
    }

    static let team =
        "<key>com.apple.developer.team-identifier</key><string>TEAM</string>"
    static let macIdentifier =
        "<key>com.apple.application-identifier</key><string>TEAM.com.example.mail</string>"
    static let applications =
        "<key>com.apple.security.application-groups</key>"
        + "<array><string>group.com.example</string></array>"

    static let all = [
        Form("identifier", identifier, ["TEAM.com.example.mail"]),
        Form("identifier on macOS", macIdentifier, ["TEAM.com.example.mail"]),
        Form("groups", groups("TEAM.a", "TEAM.b"), ["TEAM.a", "TEAM.b"]),
        Form(
            "prefix of the team",
            team + groups("$(AppIdentifierPrefix)shared"),
            ["TEAM.shared"]
        ),
        Form(
            "prefix of the identifier",
            identifier + groups("$(AppIdentifierPrefix)shared"),
            ["TEAM.shared", "TEAM.com.example.mail"]
        ),
        Form("other prefix", team + groups("$(TeamIdentifierPrefix)shared"), ["TEAM.shared"]),
        Form(
            "prefix in the identifier",
            team + "<key>application-identifier</key><string>$(AppIdentifierPrefix)mail</string>",
            ["TEAM.mail"]
        ),
        Form("wildcard", groups("TEAM.*"), ["TEAM.*"]),
        Form(
            "application groups",
            identifier + applications,
            ["TEAM.com.example.mail", "group.com.example"]
        ),
        Form("other keys", "<key>get-task-allow</key><true/>" + groups("TEAM.a"), ["TEAM.a"]),
    ]
}

@Suite struct `An entitlements file` {
    @Test(.requirement("GRP-25"), arguments: Form.all)
    fileprivate func `is read in the form in which Apple writes it`(form: Form) throws {
        let parsed = try EntitlementsFile.parse(Data(form.text.utf8), path: "entitlements")
        let caller = Caller(entitlements: parsed, system: .host)
        #expect(caller.accessGroups == form.accessGroups)
    }

    @Test(arguments: ["$(AppIdentifierPrefix)shared", "$(TeamIdentifierPrefix)shared"])
    func `is refused when it needs a team and names none`(group: String) {
        #expect(throws: KeychainError(.missingEntitlement, "")) {
            try EntitlementsFile.parse(Data(list(groups(group)).utf8), path: "entitlements")
        }
    }

    @Test func `is refused when it is too long to be one`() {
        let nested = String(repeating: "<array>", count: 200_000)
        #expect(throws: KeychainError(.missingEntitlement, "")) {
            try EntitlementsFile.parse(Data(list(nested).utf8), path: "entitlements")
        }
    }

    @Test func `with a wildcard reaches every group of its prefix and no other`() throws {
        let parsed = try EntitlementsFile.parse(Data(list(groups("TEAM.*")).utf8), path: "e")
        let caller = Caller(entitlements: parsed, system: .host)
        #expect(caller.mayUse(group: "TEAM.anything"))
        #expect(!caller.mayUse(group: "TEAMS.anything"))
        #expect(caller.defaultGroup == nil)
    }
}

@Suite struct `The place of a keychain` {
    private func environment(_ variables: [String: String]) -> ProcessEnvironment {
        ProcessEnvironment(executable: "/program") { variables[$0] }
    }

    private func directory(_ variables: [String: String]) throws -> String {
        try KeychainHome(environment(variables)).directory
    }

    private static let all = ["KEYCHAIN_HOME": "/k", "XDG_DATA_HOME": "/d", "HOME": "/h"]

    @Test(arguments: [
        (["KEYCHAIN_HOME", "XDG_DATA_HOME", "HOME"], "/k"),
        (["KEYCHAIN_HOME"], "/k"),
        (["XDG_DATA_HOME", "HOME"], "/d/keychain"),
        (["HOME"], "/h/.local/share/keychain"),
    ])
    func `is named by the first variable that is set`(names: [String], path: String) throws {
        let set = Self.all.filter { names.contains($0.key) }
        #expect(try directory(set) == path)
        let empty = Self.all.mapValues { _ in "" }.merging(set) { $1 }
        #expect(try directory(empty) == path)
    }

    @Test(arguments: ["XDG_DATA_HOME", "HOME"])
    func `is no relative path of a variable that is not ours`(variable: String) {
        #expect {
            try KeychainHome(environment([variable: "relative"]))
        } throws: { error in
            (error as? KeychainError)?.status == .param && "\(error)".contains("'relative'")
        }
    }

    @Test(arguments: ["KEYCHAIN_HOME", "XDG_DATA_HOME", "HOME"])
    func `is the same until its variable, or one before it, changes`(name: String) throws {
        for variables in [Self.all, [name: "/n"]] {
            let home = try KeychainHome(environment(variables))
            #expect(home.isNamed(by: environment(variables)))
            for changed in ["KEYCHAIN_HOME", "XDG_DATA_HOME", "HOME"] {
                let others = environment(variables.merging([changed: "/other"]) { $1 })
                let stays = try KeychainHome(others) == home
                #expect(home.isNamed(by: others) == stays, "\(changed)")
            }
            #expect(!home.isNamed(by: environment([:])))
        }
        #expect(try KeychainHome(.current).isNamed(by: .current))
        #expect(!KeychainHome(directory: "/k").isNamed(by: environment(Self.all)))
    }

    @Test(.requirement("USE-05"), arguments: [[:], ["HOME": ""]])
    func `is in the account's home directory when none is set`(
        variables: [String: String]
    ) throws {
        let account = ProcessEnvironment(executable: "/p", accountHome: { "/a" }) { variables[$0] }
        let home = try KeychainHome(account)
        #expect(home.directory == "/a/.local/share/keychain")
        #expect(home.isNamed(by: account))
        #expect(!home.isNamed(by: environment(["HOME": "/h"])))
        #expect(!home.isNamed(by: environment(["KEYCHAIN_HOME": "/k"])))
    }

    @Test func `is unknown when none is set and the account has no home`() {
        #expect(throws: KeychainError(.notAvailable, "")) { try directory([:]) }
    }
}
