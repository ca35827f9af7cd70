import Secrets

@_implementationOnly import CCrypto

extension ChunkCipher {
    /// Creates a context with its key; every piece has its own nonce.
    static func context(
        _ direction: CipherContext.Direction,
        _ key: borrowing Secret
    ) throws(CryptographyError) -> CipherContext {
        let context = try CipherContext()
        let nonce = [UInt8](repeating: 0, count: AESGCM.nonceByteCount)
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try nonce.withUnsafeBufferPointer { nonce throws(CryptographyError) in
                let nonce = UnsafeRawBufferPointer(nonce)
                try context.start(.aes256GCM, direction, key: key, nonce: nonce)
            }
        }
        return context
    }

    /// Encrypts checked input; see `seal`.
    borrowing func encrypt(
        _ plaintext: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) {
        let nonce = output.bindMemory(to: UInt8.self).baseAddress
        try require(EVP_CipherInit_ex2(sealing.pointer, nil, nil, nonce, 1, nil))
        try sealing.authenticate(authenticatedData)
        let rest = UnsafeMutableRawBufferPointer(rebasing: output[AESGCM.nonceByteCount...])
        try sealing.update(plaintext, into: rest)
        try sealing.finish()
        let tag = rest.baseAddress?.advanced(by: plaintext.count)
        let count = Int32(AESGCM.tagByteCount)
        try require(EVP_CIPHER_CTX_ctrl(sealing.pointer, EVP_CTRL_AEAD_GET_TAG, count, tag))
    }

    /// Decrypts checked input; see `open`.
    borrowing func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) {
        let nonce = sealed.bindMemory(to: UInt8.self).baseAddress
        try require(EVP_CipherInit_ex2(opening.pointer, nil, nil, nonce, 0, nil))
        try opening.authenticate(authenticatedData)
        let rest = UnsafeRawBufferPointer(rebasing: sealed[AESGCM.nonceByteCount...])
        try opening.update(UnsafeRawBufferPointer(rebasing: rest[..<output.count]), into: output)
        // libcrypto copies the tag and changes nothing.
        let tag = UnsafeMutableRawPointer(mutating: rest.baseAddress?.advanced(by: output.count))
        let count = Int32(AESGCM.tagByteCount)
        try require(EVP_CIPHER_CTX_ctrl(opening.pointer, EVP_CTRL_AEAD_SET_TAG, count, tag))
        do throws(CryptographyError) {
            try opening.finish()
        } catch {
            throw .authenticationFailed
        }
    }
}
