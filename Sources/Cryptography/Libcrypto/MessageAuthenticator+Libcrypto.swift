import CCrypto
import Secrets

/// Authenticates many messages under one key, which is prepared once (HMAC-SHA-256).
///
/// `@unchecked Sendable` is sound because the prepared context is only read after `init`: each
/// call works on a duplicate of its own.
package final class MessageAuthenticator: @unchecked Sendable {
    private let prepared: OpaquePointer

    /// Prepares a key; libcrypto's copy of it is cleansed when the authenticator ends.
    ///
    /// - Parameter key: Any size; 32 bytes are advised.
    /// - Throws: `backend`.
    package init(key: borrowing Secret) throws(CryptographyError) {
        prepared = try HMACSHA256.keyedContext(key)
    }

    deinit {
        EVP_MAC_CTX_free(prepared)
    }

    /// Computes the authentication code of one message.
    ///
    /// - Parameter message: Any size.
    /// - Returns: 32 bytes; compare them with `constantTimeEquals`.
    /// - Throws: `backend`.
    package func authenticate(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        ERR_clear_error()
        let context = try require(EVP_MAC_CTX_dup(prepared))
        defer { EVP_MAC_CTX_free(context) }
        return try HMACSHA256.code(of: message, consuming: context)
    }
}
