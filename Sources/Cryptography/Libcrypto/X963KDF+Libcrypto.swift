import Secrets

@_implementationOnly import CCrypto

extension X963KDF {
    /// Derives from checked input; see `deriveKey`.
    static func derive(
        from secret: borrowing Secret,
        sharedInfo: [UInt8],
        byteCount: Int,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        return try secret.withUnsafeBytes { secret throws(CryptographyError) in
            try Secret(byteCount: byteCount) { output throws(CryptographyError) in
                guard let key = secret.baseAddress, let target = output.baseAddress else {
                    throw .invalidInput("empty secret or result")
                }
                try require(
                    ccrypto_x963kdf(
                        hash.name,
                        key,
                        secret.count,
                        sharedInfo,
                        sharedInfo.count,
                        target,
                        output.count
                    )
                )
            }
        }
    }
}
