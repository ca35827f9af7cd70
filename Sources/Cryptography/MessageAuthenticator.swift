import Secrets

/// Authenticates many messages under one key, which is prepared once (HMAC-SHA-256).
package final class MessageAuthenticator: Sendable {
    /// What the key makes of SHA-256 before any message.
    private let states: Secret

    /// Prepares a key; what was made of it is wiped when the authenticator ends.
    ///
    /// - Parameter key: Any size; 32 bytes are advised.
    /// - Throws: `backend`.
    package init(key: borrowing Secret) throws(CryptographyError) {
        states = try HMACSHA256.prepare(key)
    }

    /// Computes the authentication code of one message.
    ///
    /// - Parameters:
    ///   - message: Any size.
    ///   - byteCount: How many bytes of the code are wanted, 1 to 32.
    /// - Returns: The leading bytes of the code; compare them with `constantTimeEquals`.
    /// - Throws: `backend`.
    package func authenticate(
        _ message: [UInt8],
        byteCount: Int = HMACSHA256.codeByteCount
    ) throws(CryptographyError) -> [UInt8] {
        try message.span.withUnsafeBytes { message throws(CryptographyError) in
            try authenticate(message, byteCount: byteCount)
        }
    }

    /// Computes the authentication code of a message in memory that somebody lends.
    package func authenticate(
        _ message: UnsafeRawBufferPointer,
        byteCount: Int = HMACSHA256.codeByteCount
    ) throws(CryptographyError) -> [UInt8] {
        try HMACSHA256.code(of: message, under: states, byteCount)
    }
}
