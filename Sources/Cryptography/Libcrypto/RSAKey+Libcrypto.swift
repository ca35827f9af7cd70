import Secrets

@_implementationOnly import CCrypto

extension KeyHandle {
    /// libcrypto's names of the integers of an RSAPrivateKey, in the order of its fields.
    static let rsaIntegerNames = [
        OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_D,
        "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
    ]

    /// The most bits a public exponent may have; more would make every verification slow.
    private static let exponentBitCountLimit = 64

    /// Makes a public key.
    ///
    /// - Throws: `invalidInput` for a modulus or an exponent no RSA key has; `backend`.
    static func rsaPublicKey(
        modulus: ArraySlice<UInt8>,
        exponent: ArraySlice<UInt8>
    ) throws(CryptographyError) -> KeyHandle {
        let n = try integer(copying: modulus)
        let e = try integer(copying: exponent)
        try check(modulus: n, exponent: e)
        let integers = ccrypto_rsa_integers(
            n: n.pointer,
            e: e.pointer,
            d: nil,
            p: nil,
            q: nil,
            dp: nil,
            dq: nil,
            q_inverse: nil
        )
        return try withExtendedLifetime((n, e)) { () throws(CryptographyError) in
            try makeKey(integers)
        }
    }

    /// Makes a pair.
    ///
    /// - Parameter values: As many as `rsaIntegerNames`, in that order.
    /// - Returns: The pair.
    /// - Throws: `invalidInput` if they do not belong together; `backend`.
    static func rsaPair(_ values: [SecretInteger]) throws(CryptographyError) -> KeyHandle {
        precondition(values.count == rsaIntegerNames.count, "An RSA pair has eight integers.")
        try check(modulus: values[0], exponent: values[1])
        guard values.allSatisfy({ $0.bitCount <= values[0].bitCount }) else {
            throw .invalidInput("RSA integers that do not belong together")
        }
        var integers = ccrypto_rsa_integers(
            n: values[0].pointer,
            e: values[1].pointer,
            d: values[2].pointer,
            p: values[3].pointer,
            q: values[4].pointer,
            dp: values[5].pointer,
            dq: values[6].pointer,
            q_inverse: values[7].pointer
        )
        return try withExtendedLifetime(values) { () throws(CryptographyError) in
            forgetEarlierErrors()
            guard ccrypto_rsa_is_consistent(&integers) == 1 else {
                throw .invalidInput("RSA integers that do not belong together")
            }
            return try makeKey(integers)
        }
    }

    /// Writes an RSAPublicKey (RFC 8017 A.1.1).
    func rsaPublicRepresentation() throws(CryptographyError) -> [UInt8] {
        let modulus = try integer(OSSL_PKEY_PARAM_RSA_N)
        let exponent = try integer(OSSL_PKEY_PARAM_RSA_E)
        return DER.sequence(
            DER.unsignedInteger(try Self.bytes(of: modulus)),
            DER.unsignedInteger(try Self.bytes(of: exponent))
        )
    }

    private static func makeKey(
        _ values: ccrypto_rsa_integers
    ) throws(CryptographyError) -> KeyHandle {
        forgetEarlierErrors()
        var integers = values
        return KeyHandle(owning: try require(ccrypto_rsa_key(&integers)))
    }

    private static func check(
        modulus: SecretInteger,
        exponent: SecretInteger
    ) throws(CryptographyError) {
        guard KeyKind.rsaBitCounts.contains(modulus.bitCount), modulus.isOdd else {
            throw .invalidInput("RSA modulus not odd or not of 512 to 8192 bits")
        }
        guard exponent.isOdd, (2...exponentBitCountLimit).contains(exponent.bitCount) else {
            throw .invalidInput("RSA exponent not odd or not of 2 to 64 bits")
        }
    }

    private static func integer(
        copying bytes: ArraySlice<UInt8>
    ) throws(CryptographyError) -> SecretInteger {
        try bytes.withUnsafeBufferPointer { buffer throws(CryptographyError) in
            try SecretInteger(UnsafeRawBufferPointer(buffer)[...])
        }
    }

    private static func bytes(of number: SecretInteger) throws(CryptographyError) -> [UInt8] {
        try number.copyBytes(byteCount: (number.bitCount + 7) / 8).copyBytesUnprotected()
    }
}
