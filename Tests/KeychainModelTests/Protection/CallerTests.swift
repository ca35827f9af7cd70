import KeychainModel
import TestSupport
import Testing

@Suite struct `A caller's access groups` {
    private static let everything = Entitlements(
        applicationIdentifier: "TEAM.com.example.app",
        keychainAccessGroups: ["TEAM.shared", "TEAM.other"],
        applicationGroups: ["group.com.example"]
    )

    @Test(.requirement("GRP-04"), arguments: [SystemProfile.iOS(26), .iOSSimulator, .host])
    func `are the keychain's, the application's, then the application groups`(
        system: SystemProfile
    ) {
        let caller = Caller(entitlements: Self.everything, system: system)
        #expect(
            caller.accessGroups
                == ["TEAM.shared", "TEAM.other", "TEAM.com.example.app", "group.com.example"]
        )
    }

    @Test func `leave application groups out on a Mac`() {
        let caller = Caller(entitlements: Self.everything, system: .macOS(26))
        #expect(caller.accessGroups == ["TEAM.shared", "TEAM.other", "TEAM.com.example.app"])
        #expect(!caller.mayUse(group: "group.com.example"))
    }

    @Test func `are named once, and never empty`() {
        let entitlements = Entitlements(
            applicationIdentifier: "TEAM.app",
            keychainAccessGroups: ["", "TEAM.app", "TEAM.b", "TEAM.b"],
            applicationGroups: ["TEAM.b", ""]
        )
        let caller = Caller(entitlements: entitlements, system: .iOS(26))
        #expect(caller.accessGroups == ["TEAM.app", "TEAM.b"])
    }

    @Test func `are the fallback of a program that declares none`() {
        let caller = Caller(entitlements: Entitlements(), system: .host, fallbackGroup: "tool")
        #expect(caller.accessGroups == ["tool"])
        #expect(caller.defaultGroup == "tool")
        let declared = Caller(
            entitlements: Self.everything,
            system: .host,
            fallbackGroup: "tool"
        )
        #expect(!declared.accessGroups.contains("tool"))
    }

    @Test func `are none without entitlement and fallback`() {
        let caller = Caller(entitlements: Entitlements(), system: .iOS(26))
        #expect(caller.accessGroups.isEmpty)
        #expect(caller.defaultGroup == nil)
        #expect(!caller.mayUse(group: "TEAM.app"))
    }
}

/// What a program is entitled to, and the group that its items get.
private struct Entitled {
    var keychain: [String] = []
    var identifier: String?
    var application: [String] = []
    let defaultGroup: String?
}

@Suite struct `A caller's default group` {
    @Test(
        .requirement("GRP-04"),
        arguments: [
            Entitled(
                keychain: ["TEAM.b", "TEAM.a"],
                identifier: "TEAM.app",
                application: ["group.g"],
                defaultGroup: "TEAM.b"
            ),
            Entitled(identifier: "TEAM.app", application: ["group.g"], defaultGroup: "TEAM.app"),
            Entitled(application: ["group.g"], defaultGroup: nil),
            Entitled(
                keychain: ["TEAM.*", "TEAM.a"],
                identifier: "TEAM.app",
                defaultGroup: "TEAM.a"
            ),
            Entitled(keychain: ["*"], identifier: "TEAM.app", defaultGroup: "TEAM.app"),
            Entitled(keychain: ["com.apple.token", "TEAM.a"], defaultGroup: "TEAM.a"),
            Entitled(keychain: ["com.apple.token"], defaultGroup: nil),
            Entitled(keychain: ["", "TEAM.a"], defaultGroup: "TEAM.a"),
        ]
    )
    fileprivate func `is the first that can be written, and no application group`(row: Entitled) {
        let entitlements = Entitlements(
            applicationIdentifier: row.identifier,
            keychainAccessGroups: row.keychain,
            applicationGroups: row.application
        )
        let caller = Caller(entitlements: entitlements, system: .iOS(26))
        #expect(caller.defaultGroup == row.defaultGroup)
    }
}

@Suite struct `Naming a group` {
    @Test(
        arguments: [
            (groups: ["TEAM.a"], named: "TEAM.a", isAllowed: true),
            (groups: ["TEAM.a"], named: "TEAM.b", isAllowed: false),
            (groups: ["TEAM.a"], named: "TEAM.a.b", isAllowed: false),
            (groups: ["TEAM.a"], named: "a", isAllowed: false),
            (groups: ["TEAM.a"], named: "", isAllowed: false),
            (groups: ["TEAM.a"], named: "team.a", isAllowed: false),
            (groups: ["TEAM.*"], named: "TEAM.a", isAllowed: true),
            (groups: ["TEAM.*"], named: "TEAM.", isAllowed: true),
            (groups: ["TEAM.*"], named: "TEAM", isAllowed: false),
            (groups: ["TEAM.*"], named: "OTHER.a", isAllowed: false),
            (groups: ["*"], named: "anything", isAllowed: true),
            (groups: ["*"], named: "", isAllowed: false),
            (groups: ["TEAM.*.x"], named: "TEAM.a.x", isAllowed: false),
        ]
    )
    func `is allowed by an entry or a wildcard at its end`(
        groups: [String],
        named: String,
        isAllowed: Bool
    ) {
        let entitlements = Entitlements(keychainAccessGroups: groups)
        let caller = Caller(entitlements: entitlements, system: .iOS(26))
        #expect(caller.mayUse(group: named) == isAllowed)
    }

    @Test func `is never checked by the iOS Simulator`() {
        let caller = Caller(entitlements: Entitlements(), system: .iOSSimulator)
        #expect(caller.mayUse(group: "OTHER.group"))
        #expect(!caller.mayUse(group: ""))
        #expect(caller.wildcardPrefixes == [""])
    }
}
