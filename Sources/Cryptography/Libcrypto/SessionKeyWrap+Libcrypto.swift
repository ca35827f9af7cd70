import Secrets

@_implementationOnly import CCrypto

/// AES key wrap under keys of every size, with and without padding, for programs that bring keys.
///
/// The keychain itself uses `AESKeyWrap`.
///
/// - Source: RFC 3394; RFC 5649.
package enum SessionKeyWrap {
    /// Whether keys of any size are wrapped (RFC 5649), or whole blocks of 8 bytes (RFC 3394).
    package enum Padding: String, Sendable {
        case none = "WRAP"
        case padded = "WRAP-PAD"
    }

    /// The largest key in bytes.
    package static let byteCountLimit = 1 << 16

    /// Wraps a key.
    ///
    /// - Throws: `invalidInput` for a size that the padding does not take; `backend`.
    package static func wrap(
        _ key: borrowing Secret,
        under wrappingKey: borrowing Secret,
        _ padding: Padding
    ) throws(CryptographyError) -> [UInt8] {
        let suits = padding == .padded ? key.byteCount > 0 : isWhole(key.byteCount)
        guard suits, key.byteCount <= byteCountLimit else {
            throw .invalidInput("key of a size that cannot be wrapped")
        }
        let context = try context(wrappingKey, padding, encrypts: true)
        defer { EVP_CIPHER_CTX_free(context) }
        var wrapped = [UInt8](repeating: 0, count: key.byteCount + 16)
        var written: Int32 = 0
        try key.withUnsafeBytes { key throws(CryptographyError) in
            let key = key.bindMemory(to: UInt8.self)
            let count = Int32(key.count)
            try require(EVP_CipherUpdate(context, &wrapped, &written, key.baseAddress, count))
        }
        return Array(wrapped.prefix(Int(written)))
    }

    /// Unwraps a key.
    ///
    /// - Throws: `authenticationFailed` for bytes that were not wrapped under this key;
    ///   `invalidInput` for an impossible size; `backend`.
    package static func unwrap(
        _ wrapped: [UInt8],
        under wrappingKey: borrowing Secret,
        _ padding: Padding
    ) throws(CryptographyError) -> Secret {
        let least = padding == .padded ? 16 : 24
        guard wrapped.count >= least, wrapped.count % 8 == 0,
            wrapped.count <= byteCountLimit + 16
        else { throw .invalidInput("wrapped key of an impossible size") }
        let context = try context(wrappingKey, padding, encrypts: false)
        defer { EVP_CIPHER_CTX_free(context) }
        var written: Int32 = 0
        let key = try Secret(byteCount: wrapped.count) { output throws(CryptographyError) in
            let target = output.bindMemory(to: UInt8.self).baseAddress
            let count = Int32(wrapped.count)
            let result = EVP_CipherUpdate(context, target, &written, wrapped, count)
            forgetEarlierErrors()
            guard result == 1, written > 0 else { throw .authenticationFailed }
        }
        return key.withUnsafeBytes { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(written))))
        }
    }

    private static func isWhole(_ byteCount: Int) -> Bool { byteCount >= 16 && byteCount % 8 == 0 }

    private static func context(
        _ key: borrowing Secret,
        _ padding: Padding,
        encrypts: Bool
    ) throws(CryptographyError) -> OpaquePointer {
        guard RunningCipher.keyByteCounts.contains(key.byteCount) else {
            throw .invalidKeySize(expected: 32, actual: key.byteCount)
        }
        forgetEarlierErrors()
        let name = "AES-\(8 * key.byteCount)-\(padding.rawValue)"
        let cipher = try require(EVP_CIPHER_fetch(nil, name, nil))
        defer { EVP_CIPHER_free(cipher) }
        let context = try require(EVP_CIPHER_CTX_new())
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        let result = key.withUnsafeBytes { key in
            let key = key.bindMemory(to: UInt8.self).baseAddress
            return EVP_CipherInit_ex2(context, cipher, key, nil, encrypts ? 1 : 0, nil)
        }
        guard result == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw .backend("a key wrap cannot be set up")
        }
        return context
    }
}
