import KeychainHost

/// The part of the device that makes keys and keeps them, under CryptoKit's names.
///
/// The keys are those of `kSecAttrTokenIDSecureEnclave`, without an item: a key's
/// `dataRepresentation` opens on the device that made it alone, and is stored by the program, for
/// example as a generic password. On this system the secure element is software unless
/// `keychain status` says otherwise.
/// - Source: Item classes guide; Secure Enclave guide; Testing security code;
///   Documentation/Spec/item.md §8.
public enum SecureEnclave {
    /// Whether keys can be made here; false where the system profile is Apple's iOS Simulator.
    public static var isAvailable: Bool { Connection.profiles.system.hasSecureElement }

    /// Keys on the curve P-256, the only one there is.
    public enum P256 {
        /// Keys that sign.
        public enum Signing {}
        /// Keys that agree on secrets.
        public enum KeyAgreement {}
    }
}
