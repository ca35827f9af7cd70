import Secrets

@_implementationOnly import CCrypto

/// An authenticator of many messages under one key, which is prepared once (HMAC-SHA-256).
///
/// `@unchecked Sendable` is sound because the prepared context is only read after `init`, and each
/// of its duplicates is lent to one call at a time, under the mutex.
package final class MessageAuthenticator: @unchecked Sendable {
    private let prepared: OpaquePointer
    /// Duplicates that no call is using; restarting one is cheaper than creating one.
    private let idle = AdaptiveMutex<[Duplicate]>([])

    /// One such duplicate.
    ///
    /// `@unchecked Sendable` is sound because it only names a context, and a call that took it from
    /// the list is its only user.
    private struct Duplicate: @unchecked Sendable { let context: OpaquePointer }

    /// Prepares a key; libcrypto's copies of it are cleansed when the authenticator ends.
    ///
    /// - Parameter key: Any size; 32 bytes are advised.
    /// - Throws: `backend`.
    package init(key: borrowing Secret) throws(CryptographyError) {
        prepared = try HMACSHA256.keyedContext(key)
    }

    deinit {
        for duplicate in idle.withLock({ $0 }) { EVP_MAC_CTX_free(duplicate.context) }
        EVP_MAC_CTX_free(prepared)
    }

    /// Computes the authentication code of one message.
    ///
    /// - Parameters:
    ///   - message: Any size.
    ///   - byteCount: The number of bytes of the code to return, 1 to 32.
    /// - Returns: The leading bytes of the code; compare them with `constantTimeEquals`.
    /// - Throws: `backend`.
    package func authenticate(
        _ message: [UInt8],
        byteCount: Int = HMACSHA256.codeByteCount
    ) throws(CryptographyError) -> [UInt8] {
        let duplicate = try takeDuplicate()
        // A duplicate that failed is not lent again.
        var isReusable = false
        defer {
            if isReusable {
                idle.withLock { $0.append(duplicate) }
            } else {
                EVP_MAC_CTX_free(duplicate.context)
            }
        }
        let code = try HMACSHA256.code(of: message, consuming: duplicate.context, byteCount)
        isReusable = EVP_MAC_init(duplicate.context, nil, 0, nil) == 1
        return code
    }

    private func takeDuplicate() throws(CryptographyError) -> Duplicate {
        if let known = idle.withLock({ $0.popLast() }) { return known }
        return Duplicate(context: try require(EVP_MAC_CTX_dup(prepared)))
    }
}
