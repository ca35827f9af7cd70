import Secrets

@_implementationOnly import CCrypto

extension SecondOakleyGroup {
    /// Raises a base to a secret exponent, in time that does not depend on the exponent's bits.
    static func power(
        of base: [UInt8],
        _ exponent: borrowing Secret
    ) throws(CryptographyError) -> Secret {
        forgetEarlierErrors()
        let prime = SecretInteger(owning: try require(BN_get_rfc2409_prime_1024(nil)))
        let number = try base.withUnsafeBufferPointer { bytes throws(CryptographyError) in
            try SecretInteger(UnsafeRawBufferPointer(bytes)[...])
        }
        let power = try exponent.withUnsafeBytes { bytes throws(CryptographyError) in
            try SecretInteger(bytes[...])
        }
        let result = SecretInteger(owning: try require(BN_secure_new()))
        let context = try require(BN_CTX_new())
        defer { BN_CTX_free(context) }
        try require(
            BN_mod_exp_mont_consttime(
                result.pointer,
                number.pointer,
                power.pointer,
                prime.pointer,
                context,
                nil
            )
        )
        return try result.copyBytes(byteCount: byteCount)
    }

    /// Whether a number is from 2 to p - 2.
    static func isPublicValue(_ digits: [UInt8]) throws(CryptographyError) -> Bool {
        forgetEarlierErrors()
        let highest = SecretInteger(owning: try require(BN_get_rfc2409_prime_1024(nil)))
        try require(BN_sub_word(highest.pointer, 2))
        let number = try digits.withUnsafeBufferPointer { bytes throws(CryptographyError) in
            try SecretInteger(UnsafeRawBufferPointer(bytes)[...])
        }
        return number.bitCount >= 2 && BN_cmp(number.pointer, highest.pointer) <= 0
    }
}
