import Secrets

/// AES-GCM under a key that is used for one message, with Apple's nonce of 16 bytes.
///
/// A nonce of 16 bytes is hashed first (NIST SP 800-38D §7.1), so this cipher differs from
/// `AESGCM`, whose nonces have 12.
enum SessionCipher {
    /// The size of a nonce in bytes.
    static let nonceByteCount = 16

    /// The size of a tag in bytes.
    static let tagByteCount = 16

    /// The sizes a key may have in bytes.
    static let keyByteCounts: Set<Int> = [16, 32]

    /// The largest plaintext in bytes.
    private static let byteCountLimit = 1 << 30

    /// Returns the size of the session key that is used with a key, in bytes.
    ///
    /// AES-256 is used with RSA from 4096 bits and with curves over 256 bits, else AES-128.
    static func keyByteCount(for kind: KeyKind) -> Int {
        switch kind {
        case .rsa(let bitCount): bitCount < 4096 ? 16 : 32
        case .ellipticCurve, .ed25519, .x25519: kind.bitCount <= 256 ? 16 : 32
        }
    }

    /// Appends a nonce of zeros to a key.
    static func withZeroNonce(_ key: borrowing Secret) -> Secret {
        Secret(concatenating: key, Secret(byteCount: nonceByteCount) { _ in })
    }

    /// Derives the key of an ECIES message, and its nonce if that is derived as well.
    ///
    /// - Parameters:
    ///   - secret: The agreed secret of the ephemeral key and the other key.
    ///   - ephemeralPoint: The ephemeral public key, which is the shared information.
    ///   - kind: The kind of both keys.
    ///   - hash: The hash function of the derivation.
    ///   - nonce: The origin of the nonce.
    /// - Returns: The key, then the 16-byte nonce.
    /// - Throws: `backend`.
    static func deriveKeyAndNonce(
        from secret: borrowing Secret,
        ephemeralPoint: [UInt8],
        kind: KeyKind,
        hash: HashAlgorithm,
        nonce: EncryptionAlgorithm.ECIESNonce
    ) throws(CryptographyError) -> Secret {
        let derived = try X963KDF.deriveKey(
            from: secret,
            sharedInfo: ephemeralPoint,
            byteCount: keyByteCount(for: kind) + (nonce == .derived ? nonceByteCount : 0),
            hash: hash
        )
        return nonce == .derived ? derived : withZeroNonce(derived)
    }

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - plaintext: At most 1 GiB.
    ///   - keyAndNonce: A key of 16 or 32 bytes, then the nonce.
    ///   - authenticatedData: Bytes that must be the same to open the result.
    /// - Returns: The ciphertext, then the 16-byte tag.
    /// - Throws: `invalidInput`, `backend`.
    static func seal(
        _ plaintext: borrowing Secret,
        keyAndNonce: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard plaintext.byteCount <= byteCountLimit else {
            throw .invalidInput("plaintext over 1 GiB")
        }
        return try encrypt(plaintext, keyAndNonce, authenticating: authenticatedData)
    }

    /// Verifies and decrypts.
    ///
    /// - Parameters:
    ///   - sealed: The result of `seal`.
    ///   - keyAndNonce: A key of 16 or 32 bytes, then the nonce.
    ///   - authenticatedData: The bytes it was sealed with.
    /// - Returns: The plaintext.
    /// - Throws: `authenticationFailed` if anything differs; `invalidInput`, `backend`.
    static func open(
        _ sealed: ArraySlice<UInt8>,
        keyAndNonce: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        guard sealed.count - tagByteCount <= byteCountLimit else {
            throw .invalidInput("sealed data over 1 GiB")
        }
        return try decrypt(
            sealed.dropLast(tagByteCount),
            tag: Array(sealed.suffix(tagByteCount)),
            keyAndNonce,
            authenticating: authenticatedData
        )
    }
}
