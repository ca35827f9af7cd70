import Secrets

@_implementationOnly import CCrypto

extension HKDF {
    /// Derives from checked input; see `deriveKey`.
    static func derive(
        from inputKey: borrowing Secret,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int
    ) throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        let hkdf = try Algorithm.hkdf.pointer()
        return try inputKey.withUnsafeBytes { inputKey throws(CryptographyError) in
            try Secret(byteCount: byteCount) { output throws(CryptographyError) in
                guard let key = inputKey.baseAddress, let target = output.baseAddress else {
                    throw .invalidInput("empty input key or result")
                }
                try require(
                    ccrypto_hkdf_sha256(
                        hkdf,
                        key,
                        inputKey.count,
                        salt,
                        salt.count,
                        info,
                        info.count,
                        target,
                        output.count
                    )
                )
            }
        }
    }
}
