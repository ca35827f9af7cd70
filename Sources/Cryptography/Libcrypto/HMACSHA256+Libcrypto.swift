import Secrets

@_implementationOnly import CCrypto

extension HMACSHA256 {
    /// Computes the code of one message; see `authenticate`.
    static func code(
        of message: [UInt8],
        key: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        let context = try keyedContext(key)
        defer { EVP_MAC_CTX_free(context) }
        return try code(of: message, consuming: context)
    }

    /// Makes a context that has taken in the key; the caller frees it.
    ///
    /// - Throws: `backend`.
    static func keyedContext(
        _ key: borrowing Secret
    ) throws(CryptographyError) -> OpaquePointer {
        forgetEarlierErrors()
        let hmac = try Algorithm.hmac.pointer()
        return try key.withUnsafeBytes { key throws(CryptographyError) in
            try require(ccrypto_hmac_new(hmac, "SHA2-256", key.baseAddress, key.count))
        }
    }

    /// Runs a message through a keyed context, which is spent afterwards.
    ///
    /// - Throws: `backend`.
    static func code(
        of message: [UInt8],
        consuming context: OpaquePointer,
        _ byteCount: Int = codeByteCount
    ) throws(CryptographyError) -> [UInt8] {
        try require(EVP_MAC_update(context, message, message.count))
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: codeByteCount) {
            code throws(CryptographyError) in
            var written = 0
            try require(EVP_MAC_final(context, code.baseAddress, &written, code.count))
            return [UInt8](code[..<byteCount])
        }
    }
}
