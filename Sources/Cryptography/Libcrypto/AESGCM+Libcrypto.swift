import CCrypto
import Secrets

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
            try context.start(.aes256GCM, .encrypt, key: key, nonce: nonce[...])
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
    ///
    /// Nobody sees the plaintext before its tag is verified: on failure the secret is wiped.
    static func decrypt(
        _ ciphertext: ArraySlice<UInt8>,
        tag: ArraySlice<UInt8>,
        key: borrowing Secret,
        nonce: ArraySlice<UInt8>,
        authenticating authenticatedData: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let context = try CipherContext()
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try context.start(.aes256GCM, .decrypt, key: key, nonce: nonce)
        }
        try context.authenticate(authenticatedData)
        let byteCount = ciphertext.count
        let plaintext = try Secret(byteCount: byteCount) { output throws(CryptographyError) in
            try ciphertext.withUnsafeBufferPointer { bytes throws(CryptographyError) in
                try context.update(UnsafeRawBufferPointer(bytes), into: output)
            }
        }
        // libcrypto copies the tag and changes nothing.
        let result = tag.withUnsafeBytes { bytes in
            EVP_CIPHER_CTX_ctrl(
                context.pointer,
                EVP_CTRL_AEAD_SET_TAG,
                Int32(tagByteCount),
                UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            )
        }
        try require(result)
        do throws(CryptographyError) {
            try context.finish()
        } catch {
            throw .authenticationFailed
        }
        return plaintext
    }
}
