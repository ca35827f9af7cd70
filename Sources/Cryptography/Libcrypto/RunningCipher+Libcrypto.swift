import Secrets

@_implementationOnly import CCrypto

/// AES on a message that arrives in parts, without padding and without authentication.
///
/// It serves only programs that bring their own keys and choose these modes, as PKCS #11 lets them.
///
/// `@unchecked Sendable` is sound because the owner of the value uses it on one thread at a time:
/// an operation of a session is lent to one call.
///
/// - Source: FIPS 197; NIST SP 800-38A §6.1, §6.2 and §6.5.
package final class RunningCipher: @unchecked Sendable {
    /// The mode in which blocks are chained.
    package enum Mode: String, Sendable {
        /// Each block is independent (ECB).
        case codebook = "ECB"
        /// Each block depends on the one before (CBC).
        case chained = "CBC"
        /// A key stream of numbered blocks (CTR).
        case counted = "CTR"
    }

    /// The size of a block, and of an initialization vector, in bytes.
    package static let blockByteCount = 16
    /// The sizes of a key in bytes.
    package static let keyByteCounts = [16, 24, 32]

    private let context: OpaquePointer
    private let mode: Mode

    /// Prepares a key.
    ///
    /// - Parameters:
    ///   - mode: The mode in which blocks are chained.
    ///   - encrypts: Whether to encrypt; otherwise to decrypt.
    ///   - key: 16, 24 or 32 bytes.
    ///   - vector: 16 bytes: the initialization vector, or the first counter block; empty for a
    ///     codebook.
    /// - Throws: `invalidKeySize`, `invalidInput`, `backend`.
    package init(
        _ mode: Mode,
        encrypts: Bool,
        key: borrowing Secret,
        vector: [UInt8] = []
    ) throws(CryptographyError) {
        guard Self.keyByteCounts.contains(key.byteCount) else {
            throw .invalidKeySize(expected: 32, actual: key.byteCount)
        }
        guard vector.count == (mode == .codebook ? 0 : Self.blockByteCount) else {
            throw .invalidInput("vector of another size")
        }
        forgetEarlierErrors()
        let name = "AES-\(8 * key.byteCount)-\(mode.rawValue)"
        let cipher = try require(EVP_CIPHER_fetch(nil, name, nil))
        defer { EVP_CIPHER_free(cipher) }
        context = try require(EVP_CIPHER_CTX_new())
        self.mode = mode
        let way: Int32 = encrypts ? 1 : 0
        try key.withUnsafeBytes { key throws(CryptographyError) in
            let key = key.bindMemory(to: UInt8.self).baseAddress
            let start = vector.isEmpty ? nil : vector
            try require(EVP_CipherInit_ex2(context, cipher, key, start, way, nil))
        }
        try require(EVP_CIPHER_CTX_set_padding(context, 0))
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Processes bytes.
    ///
    /// - Parameter input: Whole blocks, except in counter mode; at most 1 GiB.
    /// - Returns: The same number of bytes.
    /// - Throws: `invalidInput`, `backend`.
    package func process(_ input: UnsafeRawBufferPointer) throws(CryptographyError) -> SharedSecret
    {
        guard mode == .counted || input.count % Self.blockByteCount == 0 else {
            throw .invalidInput("not whole blocks")
        }
        guard input.count <= 1 << 30 else { throw .invalidInput("over 1 GiB") }
        let processed = try Secret(byteCount: input.count) { output throws(CryptographyError) in
            guard !input.isEmpty else { return }
            var written: Int32 = 0
            try require(
                EVP_CipherUpdate(
                    context,
                    output.bindMemory(to: UInt8.self).baseAddress,
                    &written,
                    input.bindMemory(to: UInt8.self).baseAddress,
                    Int32(input.count)
                )
            )
            guard Int(written) == input.count else { throw .backend("a cipher kept bytes") }
        }
        return SharedSecret(processed)
    }
}
