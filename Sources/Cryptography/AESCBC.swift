import Secrets

/// AES-128 in CBC mode with PKCS #7 padding, without authentication.
///
/// It serves only protocols that prescribe it, such as the sessions of the Secret Service. All
/// stored data are sealed with `AESGCM`.
///
/// - Source: FIPS 197; NIST SP 800-38A §6.2; RFC 5652 §6.3.
package enum AESCBC {
    /// The size of a key in bytes.
    package static let keyByteCount = 16

    /// The size of a block, and of an initialization vector, in bytes.
    package static let blockByteCount = 16

    /// The largest input of one call in bytes.
    package static let byteCountLimit = 1 << 24

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - plaintext: At most 16 MiB.
    ///   - key: 16 bytes.
    ///   - vector: 16 unpredictable bytes.
    /// - Returns: Whole blocks, at least one.
    /// - Throws: `invalidKeySize`, `invalidInput` or `backend`.
    package static func encrypt(
        _ plaintext: borrowing Secret,
        key: borrowing Secret,
        vector: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        try check(key, vector)
        guard plaintext.byteCount <= byteCountLimit else { throw .invalidInput("over 16 MiB") }
        return try transform(plaintext, key, vector)
    }

    /// Decrypts a message.
    ///
    /// - Parameters:
    ///   - ciphertext: The result of `encrypt`.
    ///   - key: The same 16 bytes.
    ///   - vector: The same 16 bytes.
    /// - Returns: The message.
    /// - Throws: `authenticationFailed` for wrong padding; `invalidInput` for a size that is not
    ///   whole blocks; `invalidKeySize` or `backend`.
    package static func decrypt(
        _ ciphertext: borrowing Secret,
        key: borrowing Secret,
        vector: [UInt8]
    ) throws(CryptographyError) -> Secret {
        try check(key, vector)
        let count = ciphertext.byteCount
        guard count > 0, count % blockByteCount == 0, count <= byteCountLimit else {
            throw .invalidInput("ciphertext is not of whole blocks")
        }
        return try restore(ciphertext, key, vector)
    }

    private static func check(
        _ key: borrowing Secret,
        _ vector: [UInt8]
    ) throws(CryptographyError) {
        guard key.byteCount == keyByteCount else {
            throw .invalidKeySize(expected: keyByteCount, actual: key.byteCount)
        }
        guard vector.count == blockByteCount else { throw .invalidInput("vector not of 16 bytes") }
    }
}
