import Secrets

extension HKDF {
    /// Derives a key with any of the hash functions (RFC 5869).
    ///
    /// - Parameters:
    ///   - inputKey: At least 1 byte of strong key material; not a passcode.
    ///   - salt: Any size; an empty one stands for as many zero bytes as a hash has.
    ///   - info: The purpose of the key; any size.
    ///   - byteCount: The size of the result, 1 to 255 hashes.
    ///   - hash: The function.
    /// - Returns: `byteCount` bytes.
    /// - Throws: `invalidInput` outside these limits, or `backend`.
    package static func deriveKey(
        from inputKey: borrowing Secret,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        guard inputKey.byteCount > 0 else { throw .invalidInput("empty input key") }
        guard (1...255 * hash.byteCount).contains(byteCount) else {
            throw .invalidInput("derived key not of 1 byte to 255 hashes")
        }
        let salt = salt.isEmpty ? [UInt8](repeating: 0, count: hash.byteCount) : salt
        let key = try HMAC.code(of: inputKey, key: Secret(copying: salt), hash: hash)
        var block = Secret(copying: [])
        var output = Secret(copying: [])
        var index: UInt8 = 0
        while output.byteCount < byteCount {
            index += 1
            let message = Secret(concatenating: block, Secret(copying: info + [index]))
            block = try HMAC.code(of: message, key: key, hash: hash)
            output = Secret(concatenating: output, block)
        }
        return output.withUnsafeBytes { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
        }
    }
}
