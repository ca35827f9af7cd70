import Foundation
import KeychainHost
import KeychainModel
import TestSupport
import Testing

/// One form of the entitlements, and the groups that it stands for.
private struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let accessGroups: [String]

    init(_ name: String, _ entries: String, _ accessGroups: [String]) {
        testDescription = name
        text = propertyList(entries)
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
        Form("identifier", identifierEntry, ["TEAM.com.example.mail"]),
        Form("identifier on macOS", macIdentifier, ["TEAM.com.example.mail"]),
        Form("groups", groupEntry("TEAM.a", "TEAM.b"), ["TEAM.a", "TEAM.b"]),
        Form(
            "prefix of the team",
            team + groupEntry("$(AppIdentifierPrefix)shared"),
            ["TEAM.shared"]
        ),
        Form(
            "prefix of the identifier",
            identifierEntry + groupEntry("$(AppIdentifierPrefix)shared"),
            ["TEAM.shared", "TEAM.com.example.mail"]
        ),
        Form("other prefix", team + groupEntry("$(TeamIdentifierPrefix)shared"), ["TEAM.shared"]),
        Form(
            "prefix in the identifier",
            team + "<key>application-identifier</key><string>$(AppIdentifierPrefix)mail</string>",
            ["TEAM.mail"]
        ),
        Form("wildcard", groupEntry("TEAM.*"), ["TEAM.*"]),
        Form(
            "application groups",
            identifierEntry + applications,
            ["TEAM.com.example.mail", "group.com.example"]
        ),
        Form("other keys", "<key>get-task-allow</key><true/>" + groupEntry("TEAM.a"), ["TEAM.a"]),
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
            try EntitlementsFile.parse(
                Data(propertyList(groupEntry(group)).utf8),
                path: "entitlements"
            )
        }
    }

    @Test func `is refused when it is too long to be one`() {
        let nested = String(repeating: "<array>", count: 200_000)
        #expect(throws: KeychainError(.missingEntitlement, "")) {
            try EntitlementsFile.parse(Data(propertyList(nested).utf8), path: "entitlements")
        }
    }

    @Test func `with a wildcard reaches every group of its prefix and no other`() throws {
        let parsed = try EntitlementsFile.parse(
            Data(propertyList(groupEntry("TEAM.*")).utf8),
            path: "e"
        )
        let caller = Caller(entitlements: parsed, system: .host)
        #expect(caller.mayUse(group: "TEAM.anything"))
        #expect(!caller.mayUse(group: "TEAMS.anything"))
        #expect(caller.defaultGroup == nil)
    }
}
