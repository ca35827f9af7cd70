import Secrets

/// Authentication codes of messages (HMAC-SHA-256, RFC 2104).
package enum HMACSHA256 {
    /// The size of an authentication code in bytes.
    package static let codeByteCount = 32

    /// Computes the authentication code of one message.
    ///
    /// For many messages under one key, a `MessageAuthenticator` prepares the key once.
    ///
    /// - Parameters:
    ///   - message: Any size.
    ///   - key: Any size; 32 bytes are advised.
    /// - Returns: 32 bytes; compare them with `constantTimeEquals`.
    /// - Throws: `backend`.
    package static func authenticate(
        _ message: [UInt8],
        key: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        try code(of: message, key: key)
    }
}
