import Cryptography
import Secrets

/// The encoding of secrets in a session.
///
/// - Source: Documentation/Spec/secret-service.md §3.
package enum SecretSession: Sendable {
    case plain
    /// Encryption with a key of 16 bytes that both sides have agreed on.
    case encrypted(key: SharedSecret)

    package static let plainAlgorithm = "plain"
    package static let encryptedAlgorithm = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm that the client requests.
    ///   - input: The client's public value; ignored for a plain session.
    ///   - random: The source of the private exponent.
    /// - Returns: The session, and the output for the client.
    /// - Throws: `notSupported` for an unknown algorithm; `invalidArguments` for an invalid input.
    package static func open(
        _ algorithm: String,
        _ input: BusValue,
        random: any RandomSource
    ) throws(SecretServiceError) -> (session: SecretSession, output: BusValue) {
        switch algorithm {
        case plainAlgorithm: return (.plain, .text(""))
        case encryptedAlgorithm:
            guard case .bytes(let peer) = input else {
                throw SecretServiceError(.invalidArguments, "the input is not a public value")
            }
            let exponent = try attempting { () throws(CryptographyError) in
                try random.secret(SecondOakleyGroup.exponentByteCount)
            }
            return try agree(exponent, with: peer.secret.copyBytesUnprotected())
        default:
            throw SecretServiceError(.notSupported, "unknown algorithm")
        }
    }

    private static func agree(
        _ exponent: borrowing Secret,
        with peer: [UInt8]
    ) throws(SecretServiceError) -> (session: SecretSession, output: BusValue) {
        do throws(CryptographyError) {
            let publicValue = try SecondOakleyGroup.publicValue(of: exponent)
            let key = try key(of: exponent, with: peer)
            return (
                .encrypted(key: SharedSecret(key)),
                .bytes(SharedSecret(Secret(copying: publicValue)))
            )
        } catch { throw SecretServiceError(cryptography: error) }
    }

    /// Returns the key for a private exponent and the other side's public value.
    package static func key(
        of exponent: borrowing Secret,
        with peer: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let shared = try SecondOakleyGroup.sharedSecret(of: exponent, with: peer)
        return try HKDF.deriveKey(
            from: shared,
            salt: [],
            info: [],
            byteCount: AESCBC.keyByteCount
        )
    }

    /// Encodes a secret for the session at a path.
    package func encode(
        _ secret: StoredSecret,
        for path: String,
        random: any RandomSource
    ) throws(SecretServiceError) -> EncodedSecret {
        switch self {
        case .plain:
            return EncodedSecret(
                session: path,
                parameters: SharedSecret(Secret(copying: [])),
                value: secret.value,
                contentType: secret.contentType
            )
        case .encrypted(let key):
            let (vector, ciphertext) = try Self.attempting { () throws(CryptographyError) in
                let vector = try random.bytes(AESCBC.blockByteCount)
                let value = secret.value
                return (
                    vector, try AESCBC.encrypt(value.secret, key: key.secret, vector: vector)
                )
            }
            return EncodedSecret(
                session: path,
                parameters: SharedSecret(Secret(copying: vector)),
                value: SharedSecret(Secret(copying: ciphertext)),
                contentType: secret.contentType
            )
        }
    }

    /// The greatest number of bytes that encoding adds to a value: one block of PKCS #7 padding, or
    /// 0.
    package var paddingByteCountLimit: Int {
        switch self {
        case .plain: 0
        case .encrypted: AESCBC.blockByteCount
        }
    }

    /// Decodes a secret from the session's client.
    ///
    /// - Throws: `invalidArguments` for parameters of the wrong size, or a value that does not
    ///   decrypt.
    package func decode(_ encoded: EncodedSecret) throws(SecretServiceError) -> StoredSecret {
        switch self {
        case .plain: return StoredSecret(encoded.value, contentType: encoded.contentType)
        case .encrypted(let key):
            do throws(CryptographyError) {
                let plaintext = try AESCBC.decrypt(
                    encoded.value.secret,
                    key: key.secret,
                    vector: encoded.parameters.secret.copyBytesUnprotected()
                )
                return StoredSecret(SharedSecret(plaintext), contentType: encoded.contentType)
            } catch { throw SecretServiceError(cryptography: error) }
        }
    }

    private static func attempting<R>(
        _ body: () throws(CryptographyError) -> R
    ) throws(SecretServiceError) -> R {
        do throws(CryptographyError) { return try body() } catch {
            throw SecretServiceError(cryptography: error)
        }
    }

    private static func attempting(
        _ body: () throws(CryptographyError) -> Secret
    ) throws(SecretServiceError) -> Secret {
        do throws(CryptographyError) { return try body() } catch {
            throw SecretServiceError(cryptography: error)
        }
    }
}

extension SecretServiceError {
    /// Converts a cryptographic error to an error for the client.
    fileprivate init(cryptography error: CryptographyError) {
        switch error {
        case .authenticationFailed: self.init(.invalidArguments, "the secret does not decrypt")
        case .invalidInput(let reason): self.init(.invalidArguments, reason)
        case .invalidKeySize: self.init(.invalidArguments, "a key has the wrong size")
        case .backend(let reason): self.init(.failed, reason)
        }
    }
}
