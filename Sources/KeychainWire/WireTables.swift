import CallerEvidence
import KeychainMessages
import KeychainModel

// ★ Table: the numbers of the enums whose cases carry nothing. Documentation/Spec/wire.md §9 lists
// them. A number is never reused for another case.

extension ItemClass: WireNumbered {
    static let numbers = WireNumbers<ItemClass>(
        "item class",
        [
            (.genericPassword, 1), (.internetPassword, 2), (.certificate, 3), (.key, 4),
            (.identity, 5),
        ]
    )
}

extension DuplicateRule: WireNumbered {
    static let numbers = WireNumbers<DuplicateRule>(
        "rule for duplicates",
        [(.refused, 1), (.toleratedUnlessAll, 2), (.tolerated, 3)]
    )
}

extension AuthenticationInterface: WireNumbered {
    static let numbers = WireNumbers<AuthenticationInterface>(
        "kSecUseAuthenticationUI",
        [(.allow, 1), (.fail, 2), (.skip, 3)]
    )
}

extension BiometryKind: WireNumbered {
    static let numbers = WireNumbers<BiometryKind>(
        "kind of biometry",
        [(.none, 1), (.touchID, 2), (.faceID, 3)]
    )
}

extension OutOfReachItem.Obstacle: WireNumbered {
    static let numbers = WireNumbers<OutOfReachItem.Obstacle>(
        "obstacle",
        [(.accessControl, 1), (.lockState, 2)]
    )
}

extension DeviceStatus.LockState: WireNumbered {
    static let numbers = WireNumbers<DeviceStatus.LockState>(
        "lock state",
        [(.beforeFirstUnlock, 1), (.locked, 2), (.unlocked, 3)]
    )
}

extension CheckExtent: WireNumbered {
    static let numbers = WireNumbers<CheckExtent>(
        "extent of a check",
        [(.database, 1), (.everything, 2)]
    )
}

extension UnreadableRow.Part: WireNumbered {
    static let numbers = WireNumbers<UnreadableRow.Part>(
        "part of a row",
        [(.columns, 1), (.attributes, 2), (.value, 3)]
    )
}

extension BoundItem.Bond: WireNumbered {
    static let numbers = WireNumbers<BoundItem.Bond>(
        "bond",
        [(.passcodeClass, 1), (.accessControl, 2)]
    )
}

extension BackupReport.Omission: WireNumbered {
    static let numbers = WireNumbers<BackupReport.Omission>(
        "omission",
        [
            (.passcode, 1), (.accessControl, 2), (.token, 3), (.thisDeviceOnly, 4), (.damaged, 5),
        ]
    )
}

extension ProgramGroup.Origin: WireNumbered {
    static let numbers = WireNumbers<ProgramGroup.Origin>(
        "origin of a group",
        [(.chosenNow, 1), (.knownPath, 2), (.renamed, 3)]
    )
}

extension EndpointDescription.Kind: WireNumbered {
    static let numbers = WireNumbers<EndpointDescription.Kind>(
        "kind of endpoint",
        [(.embedded, 1), (.userDaemon, 2), (.systemDaemon, 3), (.simulated, 4)]
    )
}

extension Finding.Verb: WireNumbered {
    static let numbers = WireNumbers<Finding.Verb>(
        "function of a finding",
        [
            (.add, 1), (.copyMatching, 2), (.update, 3), (.delete, 4), (.accessControl, 5),
            (.key, 6), (.context, 7), (.device, 8), (.backup, 9), (.restore, 10),
        ]
    )
}

// Raw values that are already numbers of a format.

extension ProtectionClass: WireNumbered {
    static let numbers = WireNumbers<ProtectionClass>(
        "protection class",
        [
            (.whenUnlocked, 6), (.afterFirstUnlock, 7), (.always, 8),
            (.whenUnlockedThisDeviceOnly, 9), (.afterFirstUnlockThisDeviceOnly, 10),
            (.alwaysThisDeviceOnly, 11), (.whenPasscodeSetThisDeviceOnly, 12),
        ]
    )
}

extension Factor: WireNumbered {
    static let numbers = WireNumbers<Factor>(
        "factor",
        [
            (.passcode, 1), (.biometry, 2), (.currentBiometry, 3), (.companion, 4),
            (.applicationPassword, 5),
        ]
    )
}

extension EvidenceLevel: WireNumbered {
    static let numbers = WireNumbers<EvidenceLevel>(
        "level of evidence",
        [(.nobody, 0), (.observed, 1), (.confined, 2), (.verified, 3)]
    )
}

// The profiles.

extension SystemProfile.Platform: WireNumbered {
    static let numbers = WireNumbers<SystemProfile.Platform>(
        "platform",
        [
            (.iOS, 1), (.macOS, 2), (.tvOS, 3), (.watchOS, 4), (.catalyst, 5), (.iOSSimulator, 6),
            (.host, 7),
        ]
    )
}

extension BehaviorProfile.Outcome: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.Outcome>(
        "outcome",
        [(.reject, 1), (.allow, 2)]
    )
}

extension BehaviorProfile.MissingOperator: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.MissingOperator>(
        "missing operator",
        [(.reject, 1), (.and, 2)]
    )
}

extension BehaviorProfile.TagOnCertificate: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.TagOnCertificate>(
        "tag on a certificate",
        [(.param, 1), (.noSuchAttribute, 2)]
    )
}

extension BehaviorProfile.ChangedBiometry: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.ChangedBiometry>(
        "changed biometry",
        [(.authFailed, 1), (.itemNotFound, 2)]
    )
}

extension BehaviorProfile.MissingPasscode: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.MissingPasscode>(
        "missing passcode",
        [(.byConstraints, 1), (.authFailed, 2), (.notAvailable, 3)]
    )
}

extension BehaviorProfile.DeprecatedAlways: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.DeprecatedAlways>(
        "deprecated Always class",
        [(.original, 1), (.remapToAfterFirstUnlock, 2), (.reject, 3)]
    )
}

extension BehaviorProfile.MatchKeysInWrites: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.MatchKeysInWrites>(
        "match keys in writes",
        [(.bySystem, 1), (.reject, 2), (.ignore, 3)]
    )
}

extension BehaviorProfile.ThisDeviceOnlyInBackups: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.ThisDeviceOnlyInBackups>(
        "ThisDeviceOnly items in backups",
        [(.sameDevice, 1), (.excluded, 2)]
    )
}

extension BehaviorProfile.BeforeFirstUnlock: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.BeforeFirstUnlock>(
        "status before the first unlock",
        [(.interactionNotAllowed, 1), (.itemNotFound, 2)]
    )
}

extension BehaviorProfile.CaseInsensitivity: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.CaseInsensitivity>(
        "case insensitivity",
        [(.ignore, 1), (.honor, 2)]
    )
}

extension BehaviorProfile.MacOSKeychains: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.MacOSKeychains>(
        "keychains of a Mac",
        [(.dataProtectionOnly, 1), (.both, 2)]
    )
}

extension BehaviorProfile.FileBasedMatchLimit: WireNumbered {
    static let numbers = WireNumbers<BehaviorProfile.FileBasedMatchLimit>(
        "limit of the file-based keychain",
        [(.one, 1), (.all, 2)]
    )
}
