/// Which outcome applies where Apple's documentation and Apple's published source disagree.
///
/// Start from ``documented`` or ``appleSource`` and set single switches. Every time a call meets
/// one of them, a finding names both outcomes.
/// - Source: Documentation/Contradictions.md, which has a row for each switch.
public struct BehaviorProfile: Sendable, Hashable {
    /// Two authentication flags without an operator.
    public var missingOperator: MissingOperator
    /// Changing a primary-key attribute through `SecItemUpdate`.
    public var primaryKeyUpdate: Outcome
    /// Changing the access control through `SecItemUpdate`.
    public var accessControlUpdate: Outcome
    /// An application tag on a certificate.
    public var tagOnCertificate: TagOnCertificate
    /// Adding a key without `kSecAttrKeyType`.
    public var keyWithoutType: Outcome
    /// A `.biometryCurrentSet` item after the enrolment changed.
    public var biometryCurrentSetChanged: ChangedBiometry
    /// Adding an item of WhenPasscodeSetThisDeviceOnly where no passcode is set.
    public var passcodeMissing: MissingPasscode
    /// A synchronizable item of a ThisDeviceOnly class.
    public var synchronizableThisDeviceOnly: Outcome
    /// `kSecClass` and other non-attributes among the new values of an update.
    public var foreignUpdateKey: TagOnCertificate
    /// Accessibility and access control in one dictionary, although they agree.
    public var agreeingAccessControl: Outcome
    /// The deprecated classes.
    public var deprecatedAlways: DeprecatedAlways
    /// Moving an item to another access group through `SecItemUpdate`.
    public var accessGroupUpdate: Outcome
    /// Match keys in an update or delete.
    public var matchKeysInWrites: MatchKeysInWrites
    /// Items of the ThisDeviceOnly classes in backups.
    public var backupThisDeviceOnly: ThisDeviceOnlyInBackups
    /// Whether attributes of a WhenUnlocked item stay readable while locked.
    public var metadataReadableWhenLocked: Bool
    /// Reading an item that waits for the first unlock.
    public var beforeFirstUnlock: BeforeFirstUnlock
    /// Case-insensitive matching.
    public var matchCaseInsensitive: CaseInsensitivity
    /// Which keychains the macOS profile has.
    public var macOSKeychains = MacOSKeychains.dataProtectionOnly
    /// The default limit of a search of the file-based keychain.
    public var fileBasedMatchLimit = FileBasedMatchLimit.one

    /// The outcomes that Apple's documentation and its best-known guides state.
    public static let documented = BehaviorProfile(
        missingOperator: .reject,
        primaryKeyUpdate: .reject,
        accessControlUpdate: .reject,
        tagOnCertificate: .param,
        keyWithoutType: .reject,
        biometryCurrentSetChanged: .authFailed,
        passcodeMissing: .byConstraints,
        synchronizableThisDeviceOnly: .reject,
        foreignUpdateKey: .param,
        agreeingAccessControl: .reject,
        deprecatedAlways: .original,
        accessGroupUpdate: .allow,
        matchKeysInWrites: .bySystem,
        backupThisDeviceOnly: .sameDevice,
        metadataReadableWhenLocked: false,
        beforeFirstUnlock: .interactionNotAllowed,
        matchCaseInsensitive: .ignore
    )

    /// The outcomes of Apple's published source.
    public static let appleSource = {
        var profile = BehaviorProfile.documented
        profile.missingOperator = .and
        profile.primaryKeyUpdate = .allow
        profile.accessControlUpdate = .allow
        profile.tagOnCertificate = .noSuchAttribute
        profile.keyWithoutType = .allow
        profile.biometryCurrentSetChanged = .itemNotFound
        profile.synchronizableThisDeviceOnly = .allow
        profile.foreignUpdateKey = .noSuchAttribute
        profile.agreeingAccessControl = .allow
        return profile
    }()
}

/// Both profiles of a keychain, which travel together.
package struct Profiles: Sendable, Hashable {
    package var system: SystemProfile
    package var behavior: BehaviorProfile

    package init(system: SystemProfile, behavior: BehaviorProfile) {
        self.system = system
        self.behavior = behavior
    }

    /// Whether match keys in a write are removed rather than refused.
    package var ignoresMatchKeysInWrites: Bool {
        switch behavior.matchKeysInWrites {
        case .bySystem: system.ignoresMatchKeysInWrites
        case .ignore: true
        case .reject: false
        }
    }
}
