import CCrypto
import Secrets

extension AESKeyWrap {
    /// Wraps checked input; see `wrap`.
    static func encrypt(
        _ key: borrowing Secret,
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        let context = try keyedContext(.encrypt, under: wrappingKey)
        var wrapped = [UInt8](repeating: 0, count: key.byteCount + checkByteCount)
        try key.withUnsafeBytes { key throws(CryptographyError) in
            try wrapped.withUnsafeMutableBufferPointer { buffer throws(CryptographyError) in
                try context.update(key, into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return wrapped
    }

    /// Unwraps checked input; see `unwrap`.
    static func decrypt(
        _ wrapped: [UInt8],
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        let context = try keyedContext(.decrypt, under: wrappingKey)
        let byteCount = wrapped.count - checkByteCount
        return try Secret(byteCount: byteCount) { key throws(CryptographyError) in
            do throws(CryptographyError) {
                try wrapped.withUnsafeBufferPointer { bytes throws(CryptographyError) in
                    try context.update(UnsafeRawBufferPointer(bytes), into: key)
                }
            } catch {
                throw .authenticationFailed  // Sizes are checked; only the check value is left.
            }
        }
    }

    private static func keyedContext(
        _ direction: CipherContext.Direction,
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> CipherContext {
        let context = try CipherContext()
        EVP_CIPHER_CTX_set_flags(context.pointer, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        try wrappingKey.withUnsafeBytes { key throws(CryptographyError) in
            try context.start(.aes256Wrap, direction, key: key, nonce: nil)
        }
        return context
    }
}
