import Secrets

@_implementationOnly import CCrypto

/// A cipher that also authenticates, with any key and nonce that it allows.
///
/// The keychain itself uses `AESGCM`. This cipher serves programs.
package enum AuthenticatedCipher: Sendable {
    /// AES in Galois/counter mode (NIST SP 800-38D): keys of 16, 24 or 32 bytes.
    case aesGCM
    /// ChaCha20 with Poly1305 (RFC 8439): keys of 32 bytes.
    case chaChaPoly

    /// The size of a tag in bytes.
    package static let tagByteCount = 16

    private static let byteCountLimit = 1 << 30

    /// The sizes that a key may have, in bytes.
    package var keyByteCounts: [Int] { self == .aesGCM ? [16, 24, 32] : [32] }

    private func name(keyByteCount: Int) -> String {
        self == .aesGCM ? "AES-\(8 * keyByteCount)-GCM" : "ChaCha20-Poly1305"
    }

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - plaintext: At most 1 GiB.
    ///   - key: One of `keyByteCounts`.
    ///   - nonce: 12 bytes, or more for AES; never the same twice under a key.
    ///   - authenticatedData: At most 1 GiB.
    ///   - tagByteCount: At most 16.
    /// - Returns: The ciphertext, then the tag.
    /// - Throws: `invalidKeySize`, `invalidInput`, `backend`.
    package func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8],
        tagByteCount: Int = tagByteCount
    ) throws(CryptographyError) -> [UInt8] {
        guard (1...Self.tagByteCount).contains(tagByteCount) else {
            throw .invalidInput("tag of another size")
        }
        let context = try context(.encrypt, key, nonce, authenticatedData, plaintext.count)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        try sealed.withUnsafeMutableBufferPointer { buffer throws(CryptographyError) in
            let output = UnsafeMutableRawBufferPointer(buffer)
            try context.update(plaintext, into: output)
            try context.finish()
            let tag = output.baseAddress?.advanced(by: plaintext.count)
            try control(context, EVP_CTRL_AEAD_GET_TAG, tagByteCount, tag)
        }
        return sealed
    }

    /// Verifies and decrypts; a plaintext whose tag is wrong is never returned.
    ///
    /// - Parameters:
    ///   - ciphertext: At most 1 GiB.
    ///   - tag: `tagByteCount` bytes.
    ///   - key: One of `keyByteCounts`.
    ///   - nonce: The nonce of the seal.
    ///   - authenticatedData: The data of the seal.
    ///   - tagByteCount: The size of the seal's tag.
    /// - Returns: The plaintext.
    /// - Throws: `authenticationFailed`, `invalidKeySize`, `invalidInput`, `backend`.
    package func open(
        _ ciphertext: [UInt8],
        tag: [UInt8],
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8],
        tagByteCount: Int = tagByteCount
    ) throws(CryptographyError) -> Secret {
        guard tag.count == tagByteCount, (1...Self.tagByteCount).contains(tagByteCount) else {
            throw .authenticationFailed
        }
        let context = try context(.decrypt, key, nonce, authenticatedData, ciphertext.count)
        let plaintext = try Secret(byteCount: ciphertext.count) {
            output throws(CryptographyError) in
            try ciphertext.withUnsafeBufferPointer { bytes throws(CryptographyError) in
                try context.update(UnsafeRawBufferPointer(bytes), into: output)
            }
        }
        var expected = tag
        try control(context, EVP_CTRL_AEAD_SET_TAG, tagByteCount, &expected)
        do throws(CryptographyError) { try context.finish() } catch { throw .authenticationFailed }
        return plaintext
    }

    private func context(
        _ direction: CipherContext.Direction,
        _ key: borrowing Secret,
        _ nonce: [UInt8],
        _ authenticatedData: [UInt8],
        _ byteCount: Int
    ) throws(CryptographyError) -> CipherContext {
        guard keyByteCounts.contains(key.byteCount) else {
            throw .invalidKeySize(expected: 32, actual: key.byteCount)
        }
        guard self == .aesGCM ? nonce.count >= 12 && nonce.count <= 128 : nonce.count == 12 else {
            throw .invalidInput("nonce of another size")
        }
        guard max(byteCount, authenticatedData.count) <= Self.byteCountLimit else {
            throw .invalidInput("over 1 GiB")
        }
        let context = try CipherContext()
        let name = name(keyByteCount: key.byteCount)
        let cipher = try require(EVP_CIPHER_fetch(nil, name, nil))
        defer { EVP_CIPHER_free(cipher) }
        let way = direction.rawValue
        try require(EVP_CipherInit_ex2(context.pointer, cipher, nil, nil, way, nil))
        try control(context, EVP_CTRL_AEAD_SET_IVLEN, nonce.count, nil)
        try key.withUnsafeBytes { key throws(CryptographyError) in
            let key = key.bindMemory(to: UInt8.self).baseAddress
            try require(EVP_CipherInit_ex2(context.pointer, nil, key, nonce, way, nil))
        }
        try context.authenticate(authenticatedData)
        return context
    }

    private func control(
        _ context: borrowing CipherContext,
        _ command: Int32,
        _ byteCount: Int,
        _ bytes: UnsafeMutableRawPointer?
    ) throws(CryptographyError) {
        try require(EVP_CIPHER_CTX_ctrl(context.pointer, command, Int32(byteCount), bytes))
    }
}
