import Secrets

/// Derivation of keys from a key (HKDF with HMAC-SHA-256, RFC 5869).
package enum HKDF {
    /// The largest derived key in bytes: 255 blocks of 32.
    package static let outputByteCountLimit = 255 * 32

    /// The largest context of one call in bytes; libcrypto's own limit is not lower.
    package static let infoByteCountLimit = 1024

    /// Derives a key that is bound to its context.
    ///
    /// - Parameters:
    ///   - inputKey: At least 1 byte of strong key material; not a passcode.
    ///   - salt: Any size; an empty one stands for 32 zero bytes.
    ///   - info: The purpose of the key; at most 1024 bytes.
    ///   - byteCount: The size of the result, 1 to 8160.
    /// - Returns: `byteCount` bytes.
    /// - Throws: `invalidInput` outside these limits, or `backend`.
    /// - Source: RFC 5869 §2.
    package static func deriveKey(
        from inputKey: borrowing Secret,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int
    ) throws(CryptographyError) -> Secret {
        guard inputKey.byteCount > 0 else { throw .invalidInput("empty input key") }
        guard (1...outputByteCountLimit).contains(byteCount) else {
            throw .invalidInput("derived key not of 1 to 8160 bytes")
        }
        guard info.count <= infoByteCountLimit else { throw .invalidInput("info over 1024 bytes") }
        return try derive(from: inputKey, salt: salt, info: info, byteCount: byteCount)
    }
}
