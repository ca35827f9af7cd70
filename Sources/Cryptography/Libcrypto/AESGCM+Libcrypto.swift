import Secrets

@_implementationOnly import CCrypto

extension AESGCM {
    /// Encrypts checked input; see `seal`.
    static func encrypt(
        _ plaintext: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: [UInt8],
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let context = try CipherContext()
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try nonce.withUnsafeBufferPointer { nonce throws(CryptographyError) in
                let nonce = UnsafeRawBufferPointer(nonce)
                try context.start(.aes256GCM, .encrypt, key: key, nonce: nonce)
            }
        }
        try context.authenticate(authenticatedData)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        try sealed.withUnsafeMutableBufferPointer { buffer throws(CryptographyError) in
            let output = UnsafeMutableRawBufferPointer(buffer)
            try context.update(plaintext, into: output)
            try context.finish()
            let tag = output.baseAddress?.advanced(by: plaintext.count)
            try require(
                EVP_CIPHER_CTX_ctrl(
                    context.pointer,
                    EVP_CTRL_AEAD_GET_TAG,
                    Int32(tagByteCount),
                    tag
                )
            )
        }
        return sealed
    }

    /// Decrypts checked input; see `open`.
    static func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: UnsafeRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let context = try decryptingContext(
            key: key,
            nonce: nonce,
            authenticating: authenticatedData
        )
        return try decrypt(sealed, with: context)
    }

    /// Starts a context that has processed all but the ciphertext and its tag.
    static func decryptingContext(
        key: borrowing Secret,
        nonce: UnsafeRawBufferPointer,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> CipherContext {
        let context = try CipherContext()
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try context.start(.aes256GCM, .decrypt, key: key, nonce: nonce)
        }
        try context.authenticate(authenticatedData)
        return context
    }

    /// Decrypts ciphertext and tag with a context that was started.
    ///
    /// No plaintext is returned before its tag is verified: on failure the secret is wiped.
    static func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        with context: borrowing CipherContext
    ) throws(CryptographyError) -> Secret {
        let byteCount = sealed.count - tagByteCount
        let (ciphertext, tag) = sealed.split(at: byteCount)
        let plaintext = try Secret(byteCount: byteCount) { output throws(CryptographyError) in
            try context.update(ciphertext, into: output)
        }
        // libcrypto copies the tag and changes nothing.
        try require(
            EVP_CIPHER_CTX_ctrl(
                context.pointer,
                EVP_CTRL_AEAD_SET_TAG,
                Int32(tagByteCount),
                UnsafeMutableRawPointer(mutating: tag.baseAddress)
            )
        )
        do throws(CryptographyError) {
            try context.finish()
        } catch {
            throw .authenticationFailed
        }
        return plaintext
    }
}
