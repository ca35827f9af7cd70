import Secrets

extension PrivateKey {
    /// The private numbers of an RSA pair, big-endian; leading zeros do not matter.
    package struct RSANumbers: Sendable {
        package let privateExponent: SharedSecret
        package let prime1: SharedSecret
        package let prime2: SharedSecret
        package let exponent1: SharedSecret
        package let exponent2: SharedSecret
        package let coefficient: SharedSecret

        package init(
            privateExponent: SharedSecret,
            prime1: SharedSecret,
            prime2: SharedSecret,
            exponent1: SharedSecret,
            exponent2: SharedSecret,
            coefficient: SharedSecret
        ) {
            self.privateExponent = privateExponent
            self.prime1 = prime1
            self.prime2 = prime2
            self.exponent1 = exponent1
            self.exponent2 = exponent2
            self.coefficient = coefficient
        }

        fileprivate var inOrder: [SharedSecret] {
            [privateExponent, prime1, prime2, exponent1, exponent2, coefficient]
        }
    }

    /// One of those numbers.
    package enum RSANumber: Int, Sendable {
        case privateExponent = 2
        case prime1, prime2, exponent1, exponent2, coefficient
    }

    /// Writes a secret number of an RSA key, big-endian without leading zeros.
    ///
    /// - Throws: `invalidInput` for another key; `backend`.
    package func rsaNumber(_ number: RSANumber) throws(CryptographyError) -> Secret {
        guard kind.family == .rsa else { throw .unsuitableAlgorithm }
        let integer = try handle.integer(KeyHandle.rsaIntegerNames[number.rawValue])
        return try integer.copyBytes(byteCount: (integer.bitCount + 7) / 8)
    }

    /// Creates a key from the eight numbers of an RSA pair.
    ///
    /// - Throws: `invalidInput` if they do not belong together; `backend`.
    package init(
        rsaModulus modulus: [UInt8],
        exponent: [UInt8],
        _ numbers: RSANumbers
    ) throws(CryptographyError) {
        var content = Secret(
            copying: DER.unsignedInteger([0]) + DER.unsignedInteger(modulus)
                + DER.unsignedInteger(exponent)
        )
        for number in numbers.inOrder {
            content = Secret(concatenating: content, Self.unsignedInteger(number.secret))
        }
        try self.init(
            family: .rsa,
            externalRepresentation: DER.element(DERTag.sequence, content)
        )
    }

    /// Returns an INTEGER in DER, written only in memory that is wiped.
    private static func unsignedInteger(_ number: borrowing Secret) -> Secret {
        let digits = number.withUnsafeBytes { bytes in
            let rest = UnsafeRawBufferPointer(rebasing: bytes.drop { $0 == 0 })
            let needsZero = rest.first.map { $0 >= 0x80 } ?? true
            return Secret(byteCount: rest.count + (needsZero ? 1 : 0)) { target in
                let digits = target[(needsZero ? 1 : 0)...]
                UnsafeMutableRawBufferPointer(rebasing: digits).copyMemory(from: rest)
            }
        }
        return DER.element(DERTag.integer, digits)
    }
}
