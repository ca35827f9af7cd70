// The values that the switches of a behavior profile take.
extension BehaviorProfile {
    /// Whether a request is refused or carried out.
    public enum Outcome: Sendable, Hashable {
        /// `errSecParam` (-50), and nothing changes.
        case reject
        /// The request is carried out.
        case allow
    }

    /// What two authentication flags without `.or` or `.and` mean.
    public enum MissingOperator: Sendable, Hashable {
        /// No access control is made.
        case reject
        /// All of them are required.
        case and
    }

    /// What `kSecAttrApplicationTag` on a certificate returns.
    public enum TagOnCertificate: Sendable, Hashable {
        /// `errSecParam` (-50).
        case param
        /// `errSecNoSuchAttr` (-25303).
        case noSuchAttribute
    }

    /// What reading a `.biometryCurrentSet` item returns after the enrolment changed.
    public enum ChangedBiometry: Sendable, Hashable {
        /// `errSecAuthFailed` (-25293); the item stays until it is deleted.
        case authFailed
        /// `errSecItemNotFound` (-25300).
        case itemNotFound
    }

    /// What adding an item that needs a passcode returns where none is set.
    public enum MissingPasscode: Sendable, Hashable {
        /// `errSecAuthFailed` (-25293) for a plain item, `errSecNotAvailable` (-25291) for one with
        /// constraints.
        case byConstraints
        /// `errSecAuthFailed` (-25293).
        case authFailed
        /// `errSecNotAvailable` (-25291).
        case notAvailable
    }

    /// What the deprecated `kSecAttrAccessibleAlways…` classes mean.
    public enum DeprecatedAlways: Sendable, Hashable {
        /// The item can be read in every lock state.
        case original
        /// The item is stored as its AfterFirstUnlock counterpart.
        case remapToAfterFirstUnlock
        /// `errSecParam` (-50), and nothing is stored.
        case reject
    }

    /// What match keys in an update or delete do.
    public enum MatchKeysInWrites: Sendable, Hashable {
        /// What the ``SystemProfile`` does: iOS refuses, macOS ignores.
        case bySystem
        /// `errSecParam` (-50), and nothing changes.
        case reject
        /// They have no effect.
        case ignore
    }

    /// What a backup does with items of the ThisDeviceOnly classes.
    public enum ThisDeviceOnlyInBackups: Sendable, Hashable {
        /// They come back on the device that made the backup.
        case sameDevice
        /// They are in no backup.
        case excluded
    }

    /// What a read returns before the device was unlocked for the first time.
    public enum BeforeFirstUnlock: Sendable, Hashable {
        /// `errSecInteractionNotAllowed` (-25308).
        case interactionNotAllowed
        /// `errSecItemNotFound` (-25300).
        case itemNotFound
    }

    /// What `kSecMatchCaseInsensitive` does.
    public enum CaseInsensitivity: Sendable, Hashable {
        /// It has no effect.
        case ignore
        /// Text matches whatever the case of its letters.
        case honor
    }

    /// Which keychains a Mac has.
    public enum MacOSKeychains: Sendable, Hashable {
        /// The data protection keychain; `kSecUseDataProtectionKeychain` changes nothing.
        case dataProtectionOnly
        /// The file-based keychain beside it, which takes every call without that flag.
        case both
    }

    /// How many items a search of the file-based keychain returns without a limit.
    public enum FileBasedMatchLimit: Sendable, Hashable {
        /// One.
        case one
        /// All of them.
        case all
    }
}
