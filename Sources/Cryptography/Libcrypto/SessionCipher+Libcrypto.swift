import Secrets

@_implementationOnly import CCrypto

extension SessionCipher {
    /// Encrypts checked input; see `seal`.
    static func encrypt(
        _ plaintext: borrowing Secret,
        _ keyAndNonce: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let context = try keyedContext(.encrypt, keyAndNonce)
        try context.authenticate(authenticatedData)
        let byteCount = plaintext.byteCount
        var sealed = [UInt8](repeating: 0, count: byteCount + tagByteCount)
        try sealed.withUnsafeMutableBufferPointer { buffer throws(CryptographyError) in
            let output = UnsafeMutableRawBufferPointer(buffer)
            try plaintext.withUnsafeBytes { bytes throws(CryptographyError) in
                try context.update(bytes, into: output)
            }
            try context.finish()
            let tag = output.baseAddress?.advanced(by: byteCount)
            try control(context, EVP_CTRL_AEAD_GET_TAG, tagByteCount, tag)
        }
        return sealed
    }

    /// Decrypts checked input; see `open`.
    ///
    /// No plaintext is returned before its tag is verified: on failure the secret is wiped.
    static func decrypt(
        _ ciphertext: ArraySlice<UInt8>,
        tag: [UInt8],
        _ keyAndNonce: borrowing Secret,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let context = try keyedContext(.decrypt, keyAndNonce)
        try context.authenticate(authenticatedData)
        let byteCount = ciphertext.count
        let plaintext = try Secret(byteCount: byteCount) { output throws(CryptographyError) in
            try ciphertext.withUnsafeBufferPointer { bytes throws(CryptographyError) in
                try context.update(UnsafeRawBufferPointer(bytes), into: output)
            }
        }
        var expectedTag = tag
        try control(context, EVP_CTRL_AEAD_SET_TAG, tagByteCount, &expectedTag)
        do throws(CryptographyError) {
            try context.finish()
        } catch {
            throw .authenticationFailed
        }
        return plaintext
    }

    private static func keyedContext(
        _ direction: CipherContext.Direction,
        _ keyAndNonce: borrowing Secret
    ) throws(CryptographyError) -> CipherContext {
        let keyByteCount = keyAndNonce.byteCount - nonceByteCount
        guard keyByteCounts.contains(keyByteCount) else {
            throw .invalidKeySize(expected: 16, actual: keyByteCount)
        }
        let context = try CipherContext()
        let cipher = try require(keyByteCount == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm())
        let way = direction.rawValue
        try require(EVP_CipherInit_ex2(context.pointer, cipher, nil, nil, way, nil))
        try control(context, EVP_CTRL_AEAD_SET_IVLEN, nonceByteCount, nil)
        try keyAndNonce.withUnsafeBytes { bytes throws(CryptographyError) in
            let key = bytes.bindMemory(to: UInt8.self).baseAddress
            let nonce = key?.advanced(by: keyByteCount)
            try require(EVP_CipherInit_ex2(context.pointer, nil, key, nonce, way, nil))
        }
        return context
    }

    private static func control(
        _ context: borrowing CipherContext,
        _ command: Int32,
        _ byteCount: Int,
        _ bytes: UnsafeMutableRawPointer?
    ) throws(CryptographyError) {
        try require(EVP_CIPHER_CTX_ctrl(context.pointer, command, Int32(byteCount), bytes))
    }
}
