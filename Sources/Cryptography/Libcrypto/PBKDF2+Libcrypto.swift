@_implementationOnly import CCrypto

extension PBKDF2 {
    /// Derives a key from checked input; see `derive`.
    static func compute(
        _ password: UnsafeRawBufferPointer,
        _ salt: UnsafeRawBufferPointer,
        _ hash: HashAlgorithm,
        _ rounds: Int,
        _ key: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        forgetEarlierErrors()
        let digest = try require(EVP_MD_fetch(nil, hash.name, nil))
        defer { EVP_MD_free(digest) }
        // The absence of a password is an empty one, not a missing parameter.
        let empty: [CChar] = [0]
        let result = empty.withUnsafeBufferPointer { empty in
            PKCS5_PBKDF2_HMAC(
                password.bindMemory(to: CChar.self).baseAddress ?? empty.baseAddress,
                Int32(password.count),
                salt.bindMemory(to: UInt8.self).baseAddress,
                Int32(salt.count),
                Int32(rounds),
                digest,
                Int32(key.count),
                key.bindMemory(to: UInt8.self).baseAddress
            )
        }
        try require(result)
    }
}
