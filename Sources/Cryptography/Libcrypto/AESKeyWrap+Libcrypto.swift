import Secrets

@_implementationOnly import CCrypto

extension AESKeyWrap {
    /// Wraps checked input; see `wrap`.
    static func encrypt(
        _ key: borrowing Secret,
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> [UInt8] {
        forgetEarlierErrors()
        let cipher = try Algorithm.aes256Block.pointer()
        let byteCount = key.byteCount + checkByteCount
        var wrapped = [UInt8](repeating: 0, count: byteCount)
        let written = key.withUnsafeBytes { key in
            wrappingKey.withUnsafeBytes { wrappingKey in
                wrapped.withUnsafeMutableBytes { output in
                    wrap(cipher, wrappingKey, key, output)
                }
            }
        }
        try require(written == byteCount ? 1 : 0)
        return wrapped
    }

    /// Unwraps checked input; see `unwrap`.
    static func decrypt(
        _ wrapped: UnsafeRawBufferPointer,
        under wrappingKey: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        let cipher = try Algorithm.aes256Block.pointer()
        let byteCount = wrapped.count - checkByteCount
        return try wrappingKey.withUnsafeBytes { wrappingKey throws(CryptographyError) in
            try Secret(byteCount: byteCount) { key throws(CryptographyError) in
                let written = unwrap(cipher, wrappingKey, wrapped, key)
                // Sizes are checked; only the check value is left to be wrong.
                guard written == byteCount else { throw .authenticationFailed }
            }
        }
    }

    private static func wrap(
        _ cipher: OpaquePointer,
        _ wrappingKey: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard let wrapping = wrappingKey.baseAddress, let input = key.baseAddress,
            let result = output.baseAddress
        else { return 0 }
        return ccrypto_key_wrap(cipher, wrapping, input, key.count, result)
    }

    private static func unwrap(
        _ cipher: OpaquePointer,
        _ wrappingKey: UnsafeRawBufferPointer,
        _ wrapped: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard let wrapping = wrappingKey.baseAddress, let input = wrapped.baseAddress,
            let result = output.baseAddress
        else { return 0 }
        return ccrypto_key_unwrap(cipher, wrapping, input, wrapped.count, result)
    }
}
