/// The outcomes that apply where Apple's documentation and Apple's published source disagree.
///
/// Start from ``documented`` or ``appleSource`` and change single settings. If a call meets one of
/// them, a finding names both outcomes.
///
/// ```swift
/// var behavior = BehaviorProfile.documented
/// behavior.missingOperator = .and
/// let phone = try SimulatedDevice(behavior: behavior)
/// ```
/// - Source: Documentation/Contradictions.md, which has a row for each switch.
public struct BehaviorProfile: Sendable, Hashable {
    /// The meaning of two authentication flags without an operator.
    public var missingOperator: MissingOperator
    /// The outcome of changing a primary-key attribute with `SecItemUpdate`.
    public var primaryKeyUpdate: Outcome
    /// The outcome of changing the access control with `SecItemUpdate`.
    public var accessControlUpdate: Outcome
    /// The status for an application tag on a certificate.
    public var tagOnCertificate: TagOnCertificate
    /// The outcome of adding a key without `kSecAttrKeyType`.
    public var keyWithoutType: Outcome
    /// The status for a `.biometryCurrentSet` item after the enrolment changed.
    public var biometryCurrentSetChanged: ChangedBiometry
    /// The status for adding an item of WhenPasscodeSetThisDeviceOnly on a device without a
    /// passcode.
    public var passcodeMissing: MissingPasscode
    /// The outcome of a synchronizable item with a ThisDeviceOnly class.
    public var synchronizableThisDeviceOnly: Outcome
    /// The status for `kSecClass` and other non-attributes among the new values of an update.
    public var foreignUpdateKey: TagOnCertificate
    /// The outcome of an accessibility and an access control that agree, in one dictionary.
    public var agreeingAccessControl: Outcome
    /// The meaning of the deprecated Always classes.
    public var deprecatedAlways: DeprecatedAlways
    /// The outcome of moving an item to another access group with `SecItemUpdate`.
    public var accessGroupUpdate: Outcome
    /// The effect of match keys in an update or delete.
    public var matchKeysInWrites: MatchKeysInWrites
    /// The place of ThisDeviceOnly items in backups.
    public var backupThisDeviceOnly: ThisDeviceOnlyInBackups
    /// Whether attributes of a WhenUnlocked item are readable while the device is locked.
    public var metadataReadableWhenLocked: Bool
    /// The status for reading an item that is closed until the first unlock.
    public var beforeFirstUnlock: BeforeFirstUnlock
    /// The effect of `kSecMatchCaseInsensitive`.
    public var matchCaseInsensitive: CaseInsensitivity
    /// The keychains of a simulated Mac.
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

    /// The outcomes of Apple's published source (Security-61901).
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

    /// Whether match keys in a write are removed instead of refused.
    package var ignoresMatchKeysInWrites: Bool {
        switch behavior.matchKeysInWrites {
        case .bySystem: system.ignoresMatchKeysInWrites
        case .ignore: true
        case .reject: false
        }
    }
}
