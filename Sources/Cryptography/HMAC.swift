import Secrets

/// Authentication codes of secret messages, with any of the hash functions (RFC 2104).
enum HMAC {
    /// Computes the authentication code of one message.
    ///
    /// - Parameters:
    ///   - message: Any size.
    ///   - key: At least 1 byte.
    ///   - hash: The function.
    /// - Returns: As many bytes as the function's hash has.
    /// - Throws: `invalidInput` for an empty key; `backend`.
    static func code(
        of message: borrowing Secret,
        key: borrowing Secret,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        guard key.byteCount > 0 else { throw .invalidInput("empty key") }
        return try compute(message, key, hash)
    }
}
