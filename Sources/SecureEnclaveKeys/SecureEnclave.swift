import KeychainHost

/// The part of the device that creates and keeps keys, under CryptoKit's names.
///
/// The keys are those of `kSecAttrTokenIDSecureEnclave`, but without a keychain item. Your program
/// stores a key's `dataRepresentation`, for example as a generic password. Only the device that
/// created the key can open it. The secure element is software unless `keychainctl status` reports
/// a TPM.
///
/// ```swift
/// guard SecureEnclave.isAvailable else { return }
/// let key = try SecureEnclave.P256.Signing.PrivateKey()
/// let stored = key.dataRepresentation
/// ```
///
/// - Source: Apple's documentation of CryptoKit's `SecureEnclave`; Documentation/Spec/item.md,
///   section 8.
public enum SecureEnclave {
    /// Whether the device has a secure element; false if the system profile is Apple's iOS
    /// Simulator.
    public static var isAvailable: Bool { RequestRouter.profiles.system.hasSecureElement }

    /// Keys on P-256, the only curve of the secure element.
    public enum P256 {
        /// Keys that sign.
        public enum Signing {}
        /// Keys that agree on secrets.
        public enum KeyAgreement {}
    }
}
