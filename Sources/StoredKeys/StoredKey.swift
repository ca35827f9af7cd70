import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import Secrets

/// One half of a key pair, used in its place: in this process, or in the secure element.
///
/// Requests go to a keychain only if the private half is in its secure element.
package struct StoredKey: Sendable {
    /// Returns the terms of authentication, called again for each use.
    package typealias Terms = @Sendable () -> AuthenticationTerms
    /// Connects to the keychain whose secure element has the key.
    package typealias Connect = @Sendable () throws(KeychainError) -> any Endpoint

    /// The half and the pair.
    package let reference: KeyReference
    private let terms: Terms
    private let connect: Connect

    package init(
        _ reference: KeyReference,
        terms: @escaping Terms = { AuthenticationTerms() },
        connect: @escaping Connect
    ) {
        self.reference = reference
        self.terms = terms
        self.connect = connect
    }

    /// Whether this half supports the operation with the scheme.
    package func supports(_ scheme: KeyScheme, for operation: KeyOperation) -> Bool {
        scheme.serves(operation) && scheme.suits(reference.kind)
            && (reference.isPrivate || !operation.needsPrivateKey)
    }
}

// Operations with the private half. Each throws `errSecParam` for a scheme that the key does not
// support.
extension StoredKey {
    /// Signs a digest or a whole message, depending on the scheme.
    package func sign(
        _ input: [UInt8],
        with scheme: KeyScheme
    ) throws(KeychainError) -> SharedSecret {
        guard case .signature(let form) = scheme, supports(scheme, for: .sign) else {
            throw unsupported(scheme)
        }
        return try use(scheme, inElement: .sign(input)) { key throws(CryptographyError) in
            Secret(copying: try key.sign(input, with: form))
        }
    }

    /// Decrypts a ciphertext for this key.
    ///
    /// - Throws: `errSecParam` for every wrong ciphertext, so that it reveals nothing about the
    ///   padding.
    package func decrypt(
        _ input: [UInt8],
        with scheme: KeyScheme
    ) throws(KeychainError) -> SharedSecret {
        guard case .encryption(let form, _) = scheme, supports(scheme, for: .decrypt) else {
            throw unsupported(scheme)
        }
        return try use(scheme, inElement: .decrypt(input)) { key throws(CryptographyError) in
            do throws(CryptographyError) {
                return try key.decrypt(input, with: form)
            } catch .authenticationFailed {
                throw .wrongCiphertext
            }
        }
    }

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Parameters:
    ///   - other: The public half of the other side.
    ///   - scheme: The scheme; one with a hash derives a key from the secret.
    ///   - byteCount: The size of a derived key.
    ///   - sharedInfo: The bytes that both sides know, for a derived key.
    /// - Returns: The X coordinate of the common point, or the derived key.
    /// - Throws: `errSecParam` for keys of different curves.
    package func agree(
        with other: PublicKey,
        by scheme: KeyScheme,
        byteCount: Int = 0,
        sharedInfo: [UInt8] = []
    ) throws(KeychainError) -> SharedSecret {
        guard case .exchange(let hash, _) = scheme, supports(scheme, for: .exchange) else {
            throw unsupported(scheme)
        }
        let use = ElementKeyUse.agree(
            publicPoint: other.externalRepresentation,
            byteCount: byteCount,
            sharedInfo: sharedInfo
        )
        return try self.use(scheme, inElement: use) { key throws(CryptographyError) in
            guard let hash else { return try key.sharedSecret(with: other) }
            return try key.sharedKey(
                with: other,
                sharedInfo: sharedInfo,
                byteCount: byteCount,
                hash: hash
            )
        }
    }

    private func use(
        _ scheme: KeyScheme,
        inElement use: ElementKeyUse,
        here: (PrivateKey) throws(CryptographyError) -> Secret
    ) throws(KeychainError) -> SharedSecret {
        switch reference.material {
        case .publicKey: throw KeychainError(.param, "the private half is needed")
        case .privateKey(let key):
            return SharedSecret(try fromCryptography(try here(key)))
        case .elementKey(let handle, _):
            let algorithm = scheme.identifier
            let request = ElementKeyRequest.use(handle, algorithm: algorithm, use, terms())
            guard case .bytes(let bytes) = try connect().send(request) else {
                throw KeychainError(.internal, "the secure element returned an unexpected reply")
            }
            return bytes
        }
    }
}

// Operations with the public half, which both halves contain.
extension StoredKey {
    /// Whether the private half made a signature.
    ///
    /// - Throws: `errSecParam` for a scheme that the key does not support.
    package func isValidSignature(
        _ signature: [UInt8],
        for input: [UInt8],
        with scheme: KeyScheme
    ) throws(KeychainError) -> Bool {
        guard case .signature(let form) = scheme, supports(scheme, for: .verify) else {
            throw unsupported(scheme)
        }
        return try fromCryptography(
            try reference.publicKey.isValidSignature(signature, for: input, with: form)
        )
    }

    /// Encrypts for the owner of the private half.
    ///
    /// - Throws: `errSecParam` for a scheme that the key does not support.
    package func encrypt(
        _ plaintext: borrowing Secret,
        with scheme: KeyScheme
    ) throws(KeychainError) -> [UInt8] {
        guard case .encryption(let form, _) = scheme, supports(scheme, for: .encrypt) else {
            throw unsupported(scheme)
        }
        return try fromCryptography(try reference.publicKey.encrypt(plaintext, with: form))
    }

    private func unsupported(_ scheme: KeyScheme) -> KeychainError {
        KeychainError(.param, "the key (\(reference.words)) does not support \(scheme.identifier)")
    }
}
