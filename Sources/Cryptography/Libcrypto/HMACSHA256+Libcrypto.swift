import Secrets

@_implementationOnly import CCrypto

extension HMACSHA256 {
    /// Takes in a key for any number of messages; the result is as secret as the key.
    ///
    /// - Throws: `backend`.
    static func prepare(_ key: borrowing Secret) throws(CryptographyError) -> Secret {
        let byteCount = ccrypto_hmac_sha256_state_count()
        return try Secret(byteCount: byteCount) { states throws(CryptographyError) in
            guard let states = states.baseAddress else { throw .backend("no memory for a key") }
            try key.withUnsafeBytes { key throws(CryptographyError) in
                try require(ccrypto_hmac_sha256_prepare(key.baseAddress, key.count, states))
            }
        }
    }

    /// Computes the leading bytes of a message's code under a key that `prepare` took in.
    ///
    /// - Throws: `backend`.
    static func code(
        of message: UnsafeRawBufferPointer,
        under states: borrowing Secret,
        _ byteCount: Int = codeByteCount
    ) throws(CryptographyError) -> [UInt8] {
        var result: Int32 = 0
        let code = states.withUnsafeBytes { states in
            [UInt8](unsafeUninitializedCapacity: codeByteCount) { code, count in
                guard let states = states.baseAddress, let start = code.baseAddress else { return }
                result = ccrypto_hmac_sha256(states, message.baseAddress, message.count, start)
                count = byteCount
            }
        }
        try require(result)
        return code
    }
}
