import Secrets

@_implementationOnly import CCrypto

extension KeyHandle {
    /// Makes a public key on Curve25519.
    ///
    /// - Parameters:
    ///   - bytes: 32 of them. Bytes that encode no point make a key no signature fits.
    ///   - kind: `ed25519` or `x25519`.
    /// - Returns: The key.
    /// - Throws: `backend`.
    static func curve25519PublicKey(
        _ bytes: [UInt8],
        kind: KeyKind
    ) throws(CryptographyError) -> KeyHandle {
        forgetEarlierErrors()
        let name = kind.algorithmName
        return KeyHandle(
            owning: try require(
                EVP_PKEY_new_raw_public_key_ex(nil, name, nil, bytes, bytes.count)
            )
        )
    }

    /// Makes a pair on Curve25519.
    ///
    /// - Parameters:
    ///   - bytes: The 32 private bytes.
    ///   - kind: `ed25519` or `x25519`.
    /// - Returns: The key.
    /// - Throws: `invalidKeySize`, `backend`.
    static func curve25519Pair(
        _ bytes: UnsafeRawBufferPointer,
        kind: KeyKind
    ) throws(CryptographyError) -> KeyHandle {
        guard bytes.count == KeyKind.curve25519ByteCount else {
            throw .invalidKeySize(expected: KeyKind.curve25519ByteCount, actual: bytes.count)
        }
        forgetEarlierErrors()
        let digits = bytes.bindMemory(to: UInt8.self).baseAddress
        let name = kind.algorithmName
        return KeyHandle(
            owning: try require(
                EVP_PKEY_new_raw_private_key_ex(nil, name, nil, digits, bytes.count)
            )
        )
    }

    /// Writes the 32 private bytes.
    ///
    /// - Throws: `backend`.
    func rawPrivateKey() throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        return try Secret(byteCount: KeyKind.curve25519ByteCount) {
            output throws(CryptographyError) in
            var byteCount = output.count
            let target = output.bindMemory(to: UInt8.self).baseAddress
            try require(EVP_PKEY_get_raw_private_key(pointer, target, &byteCount))
        }
    }

    /// Writes the 32 public bytes.
    ///
    /// - Throws: `backend`.
    func rawPublicKey() throws(CryptographyError) -> [UInt8] {
        forgetEarlierErrors()
        var bytes = [UInt8](repeating: 0, count: KeyKind.curve25519ByteCount)
        var byteCount = bytes.count
        try require(EVP_PKEY_get_raw_public_key(pointer, &bytes, &byteCount))
        return bytes
    }
}
