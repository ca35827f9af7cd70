import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

/// A P-256 key that encrypts files with ECIES and AES-256-GCM.
///
/// ```swift
/// let key = try EnvelopeKey.generate()
/// let sealed = try key.seal(SecretBytes("secret"))
/// let secret = try key.open(sealed)
/// ```
/// - Source: Documentation/Spec/migration.md, section 2.
public struct EnvelopeKey: Sendable {
    /// The private key in X9.63 form, 97 bytes.
    public let privateRepresentation: SecretBytes

    private static var algorithm: SecKeyAlgorithm {
        .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    }

    /// Creates a key from its 97 bytes; only its first use checks them.
    public init(privateRepresentation: SecretBytes) {
        self.privateRepresentation = privateRepresentation
    }

    /// Generates a new key without storing it.
    public static func generate() throws(KeychainFailure) -> EnvelopeKey {
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeySizeInBits as String: 256,
        ]
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error),
            let bytes = SecKeyCopyExternalRepresentation(key, &error) as Data?
        else { throw failure(.makeKey, error) }
        return EnvelopeKey(privateRepresentation: SecretBytes(bytes))
    }

    /// Encrypts a secret, so that only the private key can decrypt it.
    ///
    /// - Throws: `KeychainFailure`.
    public func seal(_ secret: SecretBytes) throws(KeychainFailure) -> Data {
        let key = try privateKey(for: .seal)
        var error: Unmanaged<CFError>?
        guard let publicKey = SecKeyCopyPublicKey(key),
            let sealed = SecKeyCreateEncryptedData(
                publicKey,
                Self.algorithm,
                secret.copyBytesUnprotected() as CFData,
                &error
            ) as Data?
        else { throw Self.failure(.seal, error) }
        return sealed
    }

    /// Decrypts the result of ``seal(_:)``.
    ///
    /// - Throws: `KeychainFailure` if the data has another form, was changed, or needs another key.
    public func open(_ sealed: Data) throws(KeychainFailure) -> SecretBytes {
        let key = try privateKey(for: .open)
        var error: Unmanaged<CFError>?
        guard
            let opened = SecKeyCreateDecryptedData(key, Self.algorithm, sealed as CFData, &error)
                as Data?
        else { throw Self.failure(.open, error) }
        return SecretBytes(opened)
    }

    private func privateKey(
        for operation: KeychainFailure.Operation
    ) throws(KeychainFailure) -> SecKey {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
        ]
        var error: Unmanaged<CFError>?
        let bytes = privateRepresentation.copyBytesUnprotected() as CFData
        guard let key = SecKeyCreateWithData(bytes, attributes as CFDictionary, &error) else {
            throw Self.failure(operation, error)
        }
        return key
    }

    private static func failure(
        _ operation: KeychainFailure.Operation,
        _ error: Unmanaged<CFError>?
    ) -> KeychainFailure {
        guard let error = error?.takeRetainedValue() else {
            return KeychainFailure(operation, status: -50)
        }
        let code = Int32(truncatingIfNeeded: CFErrorGetCode(error))
        return KeychainFailure(operation, status: code)
    }
}
