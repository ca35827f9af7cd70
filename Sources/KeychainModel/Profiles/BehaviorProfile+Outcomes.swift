// The values of a behavior profile's switches.
extension BehaviorProfile {
    /// Whether the keychain refuses a request or performs it.
    ///
    /// ```swift
    /// behavior.primaryKeyUpdate = .allow
    /// ```
    public enum Outcome: Sendable, Hashable {
        /// The call fails with `errSecParam` (-50) and changes nothing.
        case reject
        /// The call performs the request.
        case allow
    }

    /// The meaning of two authentication flags without `.or` or `.and`.
    ///
    /// ```swift
    /// behavior.missingOperator = .and
    /// ```
    public enum MissingOperator: Sendable, Hashable {
        /// `SecAccessControlCreateWithFlags` returns nil.
        case reject
        /// The user must meet all constraints.
        case and
    }

    /// The status for an attribute that the class does not have.
    ///
    /// ```swift
    /// behavior.tagOnCertificate = .noSuchAttribute
    /// ```
    public enum TagOnCertificate: Sendable, Hashable {
        /// `errSecParam` (-50).
        case param
        /// `errSecNoSuchAttr` (-25303).
        case noSuchAttribute
    }

    /// The status for reading a `.biometryCurrentSet` item after the enrolment changed.
    ///
    /// ```swift
    /// behavior.biometryCurrentSetChanged = .itemNotFound
    /// ```
    public enum ChangedBiometry: Sendable, Hashable {
        /// The status `errSecAuthFailed` (-25293); the item remains until a program deletes it.
        case authFailed
        /// `errSecItemNotFound` (-25300).
        case itemNotFound
    }

    /// The status for adding an item that needs a passcode to a device without one.
    ///
    /// ```swift
    /// behavior.passcodeMissing = .notAvailable
    /// ```
    public enum MissingPasscode: Sendable, Hashable {
        /// The status `errSecNotAvailable` (-25291) for an item with constraints, else
        /// `errSecAuthFailed` (-25293).
        case byConstraints
        /// `errSecAuthFailed` (-25293).
        case authFailed
        /// `errSecNotAvailable` (-25291).
        case notAvailable
    }

    /// The meaning of the deprecated `kSecAttrAccessibleAlways…` classes.
    ///
    /// ```swift
    /// behavior.deprecatedAlways = .reject
    /// ```
    public enum DeprecatedAlways: Sendable, Hashable {
        /// The item is readable in every lock state.
        case original
        /// The keychain stores the item with the corresponding AfterFirstUnlock class.
        case remapToAfterFirstUnlock
        /// The call fails with `errSecParam` (-50) and stores nothing.
        case reject
    }

    /// The effect of match keys in an update or delete.
    ///
    /// ```swift
    /// behavior.matchKeysInWrites = .ignore
    /// ```
    public enum MatchKeysInWrites: Sendable, Hashable {
        /// The effect on the ``SystemProfile``: iOS refuses the call, macOS ignores the keys.
        case bySystem
        /// The call fails with `errSecParam` (-50) and changes nothing.
        case reject
        /// The keys have no effect.
        case ignore
    }

    /// The place of ThisDeviceOnly items in a backup.
    ///
    /// ```swift
    /// behavior.backupThisDeviceOnly = .excluded
    /// ```
    public enum ThisDeviceOnlyInBackups: Sendable, Hashable {
        /// The backup contains them, and only the device that made it can restore them.
        case sameDevice
        /// No backup contains them.
        case excluded
    }

    /// The status for a read before the first unlock.
    ///
    /// ```swift
    /// behavior.beforeFirstUnlock = .itemNotFound
    /// ```
    public enum BeforeFirstUnlock: Sendable, Hashable {
        /// `errSecInteractionNotAllowed` (-25308).
        case interactionNotAllowed
        /// `errSecItemNotFound` (-25300).
        case itemNotFound
    }

    /// The effect of `kSecMatchCaseInsensitive`.
    ///
    /// ```swift
    /// behavior.matchCaseInsensitive = .honor
    /// ```
    public enum CaseInsensitivity: Sendable, Hashable {
        /// The key has no effect.
        case ignore
        /// Text matches regardless of case.
        case honor
    }

    /// The keychains of a simulated Mac.
    ///
    /// ```swift
    /// behavior.macOSKeychains = .both
    /// ```
    public enum MacOSKeychains: Sendable, Hashable {
        /// The data protection keychain only; `kSecUseDataProtectionKeychain` has no effect.
        case dataProtectionOnly
        /// Both keychains; a call without that flag uses the file-based one.
        case both
    }

    /// The number of items that a search of the file-based keychain returns without a limit.
    ///
    /// ```swift
    /// behavior.fileBasedMatchLimit = .all
    /// ```
    public enum FileBasedMatchLimit: Sendable, Hashable {
        /// One item.
        case one
        /// All matching items.
        case all
    }
}
