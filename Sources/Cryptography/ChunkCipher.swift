import Secrets

/// A cipher for many pieces under one key, in the caller's memory (AES-256-GCM).
///
/// The key schedule is computed once, and wiped when the value's life ends. Several threads cannot
/// use one value at once.
package struct ChunkCipher: ~Copyable {
    /// The additional bytes of a sealed piece: a nonce of 12 in front, a tag of 16 behind.
    package static let overhead = AESGCM.nonceByteCount + AESGCM.tagByteCount

    let sealing: CipherContext
    let opening: CipherContext

    /// Prepares both directions.
    ///
    /// - Parameter key: 32 bytes.
    /// - Throws: `invalidKeySize`, `backend`.
    package init(key: borrowing Secret) throws(CryptographyError) {
        guard key.byteCount == AESGCM.keyByteCount else {
            throw .invalidKeySize(expected: AESGCM.keyByteCount, actual: key.byteCount)
        }
        self.init(
            sealing: try Self.context(.encrypt, key),
            opening: try Self.context(.decrypt, key)
        )
    }

    private init(sealing: consuming CipherContext, opening: consuming CipherContext) {
        self.sealing = sealing
        self.opening = opening
    }

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - plaintext: At most 1 GiB.
    ///   - output: `overhead` bytes more. The caller has written the nonce to its first 12.
    ///   - authenticatedData: Bytes that must be the same to open the piece.
    /// - Throws: `invalidInput`, `backend`.
    package borrowing func seal(
        _ plaintext: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) {
        try Self.check(plaintext.count, sealed: output.count)
        try encrypt(plaintext, into: output, authenticating: authenticatedData)
    }

    /// Verifies and decrypts; if verification fails, the output is zeros.
    ///
    /// - Parameters:
    ///   - sealed: The output of `seal`.
    ///   - output: `overhead` bytes less.
    ///   - authenticatedData: The bytes it was sealed with.
    /// - Throws: `authenticationFailed`, `invalidInput`, `backend`.
    package borrowing func open(
        _ sealed: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) {
        try Self.check(output.count, sealed: sealed.count)
        do throws(CryptographyError) {
            try decrypt(sealed, into: output, authenticating: authenticatedData)
        } catch {
            output.initializeMemory(as: UInt8.self, repeating: 0)
            throw error
        }
    }

    private static func check(_ count: Int, sealed: Int) throws(CryptographyError) {
        guard sealed == count + overhead, count <= AESGCM.byteCountLimit else {
            throw .invalidInput("sealed piece not 28 bytes longer than its content")
        }
    }
}
