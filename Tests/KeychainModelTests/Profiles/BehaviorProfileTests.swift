import KeychainModel
import TestSupport
import Testing

@Suite struct `The behavior profiles` {
    /// The switches that the two profiles set differently, one by one.
    private static let differences: [@Sendable (inout BehaviorProfile) -> Void] = [
        { $0.missingOperator = .and },
        { $0.primaryKeyUpdate = .allow },
        { $0.accessControlUpdate = .allow },
        { $0.tagOnCertificate = .noSuchAttribute },
        { $0.keyWithoutType = .allow },
        { $0.biometryCurrentSetChanged = .itemNotFound },
        { $0.synchronizableThisDeviceOnly = .allow },
        { $0.foreignUpdateKey = .noSuchAttribute },
        { $0.agreeingAccessControl = .allow },
    ]

    @Test func `differ in exactly the switches where documents and source disagree`() {
        let changed = Self.differences.reduce(into: BehaviorProfile.documented) { $1(&$0) }
        #expect(changed == .appleSource)
    }

    @Test func `can be set switch by switch`() {
        let variants = Self.differences.map { change in
            var profile = BehaviorProfile.documented
            change(&profile)
            return profile
        }
        #expect(Set(variants + [.documented]).count == Self.differences.count + 1)
    }

    @Test(arguments: [BehaviorProfile.documented, .appleSource])
    func `agree on the switches that one document alone asks for`(profile: BehaviorProfile) {
        #expect(profile.deprecatedAlways == .original)
        #expect(profile.accessGroupUpdate == .allow)
        #expect(profile.backupThisDeviceOnly == .sameDevice)
        #expect(profile.matchKeysInWrites == .bySystem)
        #expect(!profile.metadataReadableWhenLocked)
        #expect(profile.matchCaseInsensitive == .ignore)
    }

    @Test(
        arguments: [
            (system: SystemProfile.iOS(26), choice: .bySystem, isIgnored: false),
            (system: .macOS(26), choice: .bySystem, isIgnored: true),
            (system: .host, choice: .bySystem, isIgnored: true),
            (system: .iOSSimulator, choice: .bySystem, isIgnored: false),
            (system: .iOS(26), choice: .ignore, isIgnored: true),
            (system: .macOS(26), choice: .reject, isIgnored: false),
        ] as [(system: SystemProfile, choice: BehaviorProfile.MatchKeysInWrites, isIgnored: Bool)]
    )
    func `ask the system about match keys in writes unless told`(
        system: SystemProfile,
        choice: BehaviorProfile.MatchKeysInWrites,
        isIgnored: Bool
    ) {
        var behavior = BehaviorProfile.documented
        behavior.matchKeysInWrites = choice
        let profiles = Profiles(system: system, behavior: behavior)
        #expect(profiles.ignoresMatchKeysInWrites == isIgnored)
    }
}

@Suite struct `The system profiles` {
    @Test(
        arguments: [
            (
                system: SystemProfile.iOS(26), ignoresMatchKeys: false, hasApplicationGroups: true,
                enforces: true, name: "iOS 26"
            ),
            (
                system: .macOS(15), ignoresMatchKeys: true, hasApplicationGroups: false,
                enforces: true, name: "macOS 15"
            ),
            (
                system: .iOSSimulator, ignoresMatchKeys: false, hasApplicationGroups: true,
                enforces: false, name: "iOS Simulator"
            ),
            (
                system: .host, ignoresMatchKeys: true, hasApplicationGroups: true, enforces: true,
                name: "this machine"
            ),
        ]
    )
    func `say what a platform does`(
        system: SystemProfile,
        ignoresMatchKeys: Bool,
        hasApplicationGroups: Bool,
        enforces: Bool,
        name: String
    ) {
        #expect(system.ignoresMatchKeysInWrites == ignoresMatchKeys)
        #expect(system.applicationGroupsAreAccessGroups == hasApplicationGroups)
        #expect(system.enforcesLockState == enforces)
        #expect(system.enforcesEntitlements == enforces)
        #expect(system.description == name)
    }

    @Test(
        arguments: [
            (system: SystemProfile.iOS(12), isHidden: true),
            (system: .iOS(13), isHidden: false),
            (system: .macOS(12), isHidden: false),
            (system: .host, isHidden: false),
        ]
    )
    func `hide a foreign group before iOS 13 alone`(system: SystemProfile, isHidden: Bool) {
        #expect(system.foreignGroupIsNotFound == isHidden)
    }

    @Test(
        arguments: [
            (system: SystemProfile.iOS(8), since: 8, isKnown: true),
            (system: .iOS(7), since: 8, isKnown: false),
            (system: .iOS(26), since: 27, isKnown: false),
            (system: .macOS(1), since: 8, isKnown: true),
            (system: .host, since: 26, isKnown: true),
        ]
    )
    func `gate features by iOS version`(system: SystemProfile, since: Int, isKnown: Bool) {
        #expect(system.hasFeature(sinceIOS: since) == isKnown)
    }
}
