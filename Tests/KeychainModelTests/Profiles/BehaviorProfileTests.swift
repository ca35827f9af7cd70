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
            (SystemProfile.iOS(26), .bySystem, false), (.macOS(26), .bySystem, true),
            (.host, .bySystem, true), (.iOSSimulator, .bySystem, false),
            (.iOS(26), .ignore, true), (.macOS(26), .reject, false),
        ] as [(SystemProfile, BehaviorProfile.MatchKeysInWrites, Bool)]
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
    /// match keys ignored, application groups count, lock states and entitlements enforced.
    @Test(
        arguments: [
            (SystemProfile.iOS(26), false, true, true, "iOS 26"),
            (.macOS(15), true, false, true, "macOS 15"),
            (.iOSSimulator, false, true, false, "iOS Simulator"),
            (.host, true, true, true, "this machine"),
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
            (SystemProfile.iOS(12), true), (.iOS(13), false), (.macOS(12), false), (.host, false),
        ]
    )
    func `hide a foreign group before iOS 13 alone`(system: SystemProfile, isHidden: Bool) {
        #expect(system.foreignGroupIsNotFound == isHidden)
    }

    @Test(
        arguments: [
            (SystemProfile.iOS(8), 8, true), (.iOS(7), 8, false), (.iOS(26), 27, false),
            (.macOS(1), 8, true), (.host, 26, true),
        ]
    )
    func `gate features by iOS version`(system: SystemProfile, since: Int, isKnown: Bool) {
        #expect(system.hasFeature(sinceIOS: since) == isKnown)
    }
}
