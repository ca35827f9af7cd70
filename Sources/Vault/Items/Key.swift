public import Foundation

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

/// A description of a private key in the keychain: its name, its kind and its protection.
///
/// ```swift
/// let signer = Key(tag: "com.example.signer", kind: .p256)
/// let key = try vault.readOrMake(signer)
/// let signature = try key.signature(for: message)
///
/// let bound = Key.inSecureEnclave(tag: "com.example.bound", constraint: .userPresence)
/// ```
///
/// The Secure Enclave has only one kind of keys, and they never leave the device. Therefore its
/// function takes neither a kind nor an availability with backups.
public struct Key: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The kind and size of a key.
    public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// A key on the curve P-256.
        case p256
        /// A key on the curve P-384.
        case p384
        /// A key on the curve P-521.
        case p521
        /// An RSA key of 2,048 bits.
        case rsa2048
        /// An RSA key of 3,072 bits.
        case rsa3072
        /// An RSA key of 4,096 bits.
        case rsa4096

        var isRSA: Bool { bits >= 2048 }

        var bits: Int {
            switch self {
            case .p256: 256
            case .p384: 384
            case .p521: 521
            case .rsa2048: 2048
            case .rsa3072: 3072
            case .rsa4096: 4096
            }
        }
    }

    /// The time at which a key of the Secure Enclave can be used; it never leaves the device.
    public enum EnclaveAvailability: String, Hashable, Codable, Sendable, CaseIterable {
        /// While the device is unlocked.
        case whenUnlocked
        /// From the first unlock after a restart on.
        case afterFirstUnlock
        /// While the device is unlocked and has a passcode.
        case whenPasscodeSet

        fileprivate var availability: Protection.Availability {
            switch self {
            case .whenUnlocked: .whenUnlockedThisDeviceOnly
            case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
            case .whenPasscodeSet: .whenPasscodeSetThisDeviceOnly
            }
        }
    }

    /// The name, which no two keys of the program should share, even if their kinds differ.
    public let tag: String
    /// The kind and size.
    public let kind: Kind
    /// The conditions under which the key can be used.
    public let protection: Protection
    /// Whether the key is in the Secure Enclave.
    public let isInSecureEnclave: Bool

    /// Creates the description of a key that the keychain stores.
    public init(
        tag: String,
        kind: Kind,
        protection: Protection = .whenUnlockedThisDeviceOnly
    ) {
        self.init(tag, kind, protection, isInSecureEnclave: false)
    }

    /// Returns the description of a P-256 key that is made in the Secure Enclave and never leaves
    /// it.
    public static func inSecureEnclave(
        tag: String,
        availability: EnclaveAvailability = .whenUnlocked,
        constraint: Constraint? = nil
    ) -> Key {
        let protection = Protection(availability.availability, constraint: constraint)
        return Key(tag, .p256, protection, isInSecureEnclave: true)
    }

    private init(_ tag: String, _ kind: Kind, _ protection: Protection, isInSecureEnclave: Bool) {
        self.tag = tag
        self.kind = kind
        self.protection = protection
        self.isInSecureEnclave = isInSecureEnclave
    }

    /// The kind and the name, such as `key com.example.signer`.
    public var description: String { address.description }

    /// The tag, and whether the key is synchronized.
    public var address: ItemName {
        ItemName(
            .key,
            [
                kSecAttrApplicationTag: .bytes(Data(tag.utf8)),
                kSecAttrKeyClass: .text(kSecAttrKeyClassPrivate as String),
            ],
            isSynced: protection.isSynced,
            tag
        )
    }
}

/// A private key of the keychain, ready for use.
///
/// It gives no access to the bytes of the key.
///
/// The value is `@unchecked Sendable` because a `SecKey` never changes.
public struct PrivateKey: @unchecked Sendable {
    let key: SecKey
    let item: String
    var mayNeedApproval = false

    /// Returns the signature of a message: ECDSA in X9.62 form, or RSA-PSS, with SHA-256.
    ///
    /// - Throws: ``VaultError``, with ``VaultError/Reason/approvalNeeded`` if the key has a
    ///   constraint. Use ``Vault/signature(for:with:approval:)`` then.
    public func signature(for message: Data) throws(VaultError) -> Data {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(key, key.algorithm, message as CFData, &error)
        guard let signature else {
            let failure = VaultError(taking: error, .sign, .key, item)
            guard mayNeedApproval, failure.reason == .locked else { throw failure }
            throw VaultError(failure.status, .sign, .key, item, reason: .approvalNeeded)
        }
        return signature as Data
    }

    /// The public half.
    ///
    /// - Throws: ``VaultError`` if the key does not have one.
    public var publicKey: PublicKey {
        get throws(VaultError) {
            guard let half = SecKeyCopyPublicKey(key) else {
                throw VaultError(errSecUnimplemented, .read, .key, item)
            }
            return PublicKey(key: half, item: item)
        }
    }
}

/// The public half of a key.
///
/// The value is `@unchecked Sendable` because a `SecKey` never changes.
public struct PublicKey: @unchecked Sendable {
    let key: SecKey
    let item: String

    /// The bytes: X9.63 for a key on a curve, PKCS #1 for RSA.
    ///
    /// - Throws: ``VaultError`` if the key has no such form.
    public var bytes: Data {
        get throws(VaultError) {
            var error: Unmanaged<CFError>?
            guard let data = SecKeyCopyExternalRepresentation(key, &error) else {
                throw VaultError(taking: error, .read, .key, item)
            }
            return data as Data
        }
    }

    /// Throws unless a signature of ``PrivateKey/signature(for:)`` fits the message.
    public func verify(_ signature: Data, for message: Data) throws(VaultError) {
        var error: Unmanaged<CFError>?
        let (message, signature) = (message as CFData, signature as CFData)
        guard SecKeyVerifySignature(key, key.algorithm, message, signature, &error) else {
            throw VaultError(taking: error, .sign, .key, item)
        }
    }
}

extension Key.Kind {
    /// Whether a key is of this kind; also true if the key does not tell.
    func fits(_ key: SecKey) -> Bool {
        guard let attributes = SecKeyCopyAttributes(key) as? [String: Any],
            let type = attributes[kSecAttrKeyType as String] as? String,
            let bits = attributes[kSecAttrKeySizeInBits as String] as? Int
        else { return true }
        return bits == self.bits && (type == kSecAttrKeyTypeRSA as String) == isRSA
    }
}

extension SecKey {
    /// The signature scheme that suits the key.
    fileprivate var algorithm: SecKeyAlgorithm {
        SecKeyIsAlgorithmSupported(self, .sign, .ecdsaSignatureMessageX962SHA256)
            || SecKeyIsAlgorithmSupported(self, .verify, .ecdsaSignatureMessageX962SHA256)
            ? .ecdsaSignatureMessageX962SHA256 : .rsaSignatureMessagePSSSHA256
    }
}

extension VaultError {
    /// Takes over an error of Core Foundation, which the caller owns.
    init(
        taking error: Unmanaged<CFError>?,
        _ operation: Operation,
        _ sort: ItemSort,
        _ item: String?
    ) {
        guard let error = error?.takeRetainedValue() else {
            self.init(errSecInternalError, operation, sort, item)
            return
        }
        switch CFErrorGetDomain(error) as String {
        case LAErrorDomain:
            let (status, reason) = Self.meaning(of: error)
            self.init(status, operation, sort, item, reason: reason)
        case Self.tokenErrorDomain:
            let advice = """
                The key ended: with a new face or finger, with the passcode it needed, or with \
                the device that made it. Make a new key.
                """
            self.init(errSecDecode, operation, sort, item, explanation: advice)
        default:
            let status = OSStatus(truncatingIfNeeded: CFErrorGetCode(error))
            self.init(status, operation, sort, item)
        }
    }

    /// The domain of the errors by which a key of the Secure Enclave reports that it no longer
    /// exists.
    private static let tokenErrorDomain = "CryptoTokenKit"
}
