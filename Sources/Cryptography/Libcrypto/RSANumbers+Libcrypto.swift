import Secrets

@_implementationOnly import CCrypto

// RSA pairs from the numbers of a format without DER.

extension PrivateKey {
    /// Creates an RSA key from the numbers that SSH stores; the exponents for the primes are
    /// computed.
    ///
    /// - Parameters:
    ///   - publicKey: Modulus and public exponent.
    ///   - exponent: The private exponent; all numbers are big-endian.
    ///   - first: The prime p.
    ///   - second: The prime q.
    ///   - inverse: The inverse of q modulo p.
    /// - Throws: `invalidInput` if they do not belong together; `backend`.
    package init(
        rsa publicKey: PublicKey,
        exponent: borrowing Secret,
        primes first: borrowing Secret,
        _ second: borrowing Secret,
        inverseOfSecond inverse: borrowing Secret
    ) throws(CryptographyError) {
        guard let numbers = publicKey.rsaNumbers else { throw .unsuitableAlgorithm }
        let modulus = try SecretInteger(Secret(copying: numbers.modulus))
        let d = try SecretInteger(exponent)
        let p = try SecretInteger(first)
        let q = try SecretInteger(second)
        // The numbers of the pair's check must have a plausible size first.
        guard [d, p, q].allSatisfy({ (2...modulus.bitCount).contains($0.bitCount) }) else {
            throw .invalidInput("RSA integers that do not belong together")
        }
        let handle = try KeyHandle.rsaPair([
            modulus, try SecretInteger(Secret(copying: numbers.exponent)), d, p, q,
            try d.remainder(byPredecessorOf: p), try d.remainder(byPredecessorOf: q),
            try SecretInteger(inverse),
        ])
        try self.init(handle: handle, family: .rsa)
    }
}

extension SecretInteger {
    /// Reads a number that is not negative, big-endian.
    fileprivate convenience init(_ digits: borrowing Secret) throws(CryptographyError) {
        let number = try digits.withUnsafeBytes { bytes throws(CryptographyError) in
            try Self.number(bytes)
        }
        self.init(owning: number)
    }

    private static func number(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CryptographyError) -> OpaquePointer {
        guard bytes.count <= 1 << 16 else { throw .invalidInput("number over 64 KiB") }
        let number = try require(BN_secure_new())
        let digits = bytes.bindMemory(to: UInt8.self).baseAddress
        guard BN_bin2bn(digits, Int32(bytes.count), number) != nil else {
            BN_clear_free(number)
            throw .backend("a number could not be read")
        }
        return number
    }

    /// Returns this number modulo a prime minus one.
    ///
    /// - Throws: `backend`.
    fileprivate func remainder(
        byPredecessorOf prime: SecretInteger
    ) throws(CryptographyError) -> SecretInteger {
        forgetEarlierErrors()
        let context = try require(BN_CTX_secure_new())
        defer { BN_CTX_free(context) }
        let order = SecretInteger(owning: try require(BN_secure_new()))
        let result = SecretInteger(owning: try require(BN_secure_new()))
        BN_set_flags(pointer, BN_FLG_CONSTTIME)
        try require(BN_sub(order.pointer, prime.pointer, BN_value_one()))
        try require(BN_nnmod(result.pointer, pointer, order.pointer, context))
        return result
    }
}
