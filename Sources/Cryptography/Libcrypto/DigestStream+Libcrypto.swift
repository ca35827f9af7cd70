@_implementationOnly import CCrypto

/// Hashes a message that arrives in parts to 32 bytes (SHA-256, FIPS 180-4).
package struct DigestStream: ~Copyable {
    private let context: OpaquePointer

    /// Begins an empty message.
    ///
    /// - Throws: `backend`.
    package init() throws(CryptographyError) {
        forgetEarlierErrors()
        let algorithm = try Algorithm.sha256.pointer()
        let context = try require(EVP_MD_CTX_new())
        do throws(CryptographyError) {
            try require(EVP_DigestInit_ex(context, algorithm, nil))
        } catch {
            EVP_MD_CTX_free(context)
            throw error
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Appends bytes to the message.
    ///
    /// - Throws: `backend`.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(CryptographyError) {
        try require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// Ends the message.
    ///
    /// - Returns: The hash: 32 bytes.
    /// - Throws: `backend`.
    package consuming func finish() throws(CryptographyError) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Digest.HashFunction.sha256.byteCount)
        try require(EVP_DigestFinal_ex(context, &hash, nil))
        return hash
    }
}
