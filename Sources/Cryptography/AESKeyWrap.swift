import Secrets

/// Wrapping of a key under a 256-bit key (AES key wrap with the default check value, RFC 3394).
package enum AESKeyWrap {
    /// The size of the wrapping key in bytes.
    package static let keyByteCount = 32

    /// The size of the check value in bytes, which wrapping adds to the key.
    package static let checkByteCount = 8

    /// The sizes of a key that can be wrapped, in bytes.
    static let wrappableByteCounts = 16...4096

    /// Wraps a key.
    ///
    /// - Parameters:
    ///   - key: 16 to 4096 bytes, a multiple of 8.
    ///   - wrappingKey: 32 bytes.
    /// - Returns: The 8-byte check value, then the wrapped key.
    /// - Throws: `invalidKeySize` for the wrapping key, `invalidInput` for the key, or `backend`.
    /// - Source: RFC 3394 §2.2.1.
    package static func wrap(
        _ key: borrowing Secret,
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        try check(wrappingKey: wrappingKey, keyByteCount: key.byteCount)
        return try encrypt(key, under: wrappingKey)
    }

    /// Unwraps a key, straight into wiped memory.
    ///
    /// - Parameters:
    ///   - wrapped: The result of `wrap`: 24 to 4104 bytes, a multiple of 8.
    ///   - wrappingKey: The 32 bytes it was wrapped under.
    /// - Returns: The key, 8 bytes shorter than its wrapped form.
    /// - Throws: `authenticationFailed` if the wrapping key or any byte differs; `invalidKeySize`,
    ///   `invalidInput` or `backend`.
    /// - Source: RFC 3394 §2.2.2.
    package static func unwrap(
        _ wrapped: UnsafeRawBufferPointer,
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        try check(wrappingKey: wrappingKey, keyByteCount: wrapped.count - checkByteCount)
        return try decrypt(wrapped, under: wrappingKey)
    }

    /// Unwraps a whole array; see the overload for raw bytes.
    package static func unwrap(
        _ wrapped: [UInt8],
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        try wrapped.span.withUnsafeBytes { wrapped throws(CryptographyError) in
            try unwrap(wrapped, under: wrappingKey)
        }
    }

    private static func check(
        wrappingKey: borrowing Secret,
        keyByteCount wrappedKeyByteCount: Int
    ) throws(CryptographyError) {
        guard wrappingKey.byteCount == keyByteCount else {
            throw .invalidKeySize(expected: keyByteCount, actual: wrappingKey.byteCount)
        }
        guard
            wrappableByteCounts.contains(wrappedKeyByteCount),
            wrappedKeyByteCount.isMultiple(of: checkByteCount)
        else { throw .invalidInput("wrapped key not of 16 to 4096 bytes in steps of 8") }
    }
}
