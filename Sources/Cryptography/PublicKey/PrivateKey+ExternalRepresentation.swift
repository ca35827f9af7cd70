import Secrets

extension PrivateKey {
    /// Reads Apple's external representation.
    ///
    /// RSA: PKCS#1 RSAPrivateKey in DER. NIST curves: `04 ‖ X ‖ Y ‖ K`. Curve25519: the 32 bytes
    /// of RFC 8032 or RFC 7748.
    ///
    /// - Parameters:
    ///   - family: The family of the key.
    ///   - externalRepresentation: Nothing may follow.
    /// - Throws: `invalidInput` if the bytes are not such a key, if the halves do not match, or if
    ///   the scalar is zero or not below the group order; `invalidKeySize`, `backend`.
    package init(
        family: KeyFamily,
        externalRepresentation: borrowing Secret
    ) throws(CryptographyError) {
        let handle = try externalRepresentation.withUnsafeBytes {
            bytes throws(CryptographyError) in
            switch family {
            case .rsa: try Self.rsaPair(DERReader(bytes[...]))
            case .ellipticCurve: try Self.pair(pointAndScalar: bytes)
            case .ed25519: try KeyHandle.curve25519Pair(bytes, kind: .ed25519)
            case .x25519: try KeyHandle.curve25519Pair(bytes, kind: .x25519)
            }
        }
        try self.init(handle: handle, family: family)
    }

    /// Writes Apple's external representation.
    ///
    /// - Throws: `backend`.
    package func externalRepresentation() throws(CryptographyError) -> Secret {
        switch kind {
        case .rsa: try rsaPrivateKey()
        case .ellipticCurve(let curve):
            Secret(
                concatenating: Secret(copying: publicKey.externalRepresentation),
                try handle.scalar(byteCount: curve.scalarByteCount)
            )
        case .ed25519, .x25519: try handle.rawPrivateKey()
        }
    }

    /// Reads an RSAPrivateKey of two primes (RFC 8017 A.1.2).
    static func rsaPair(
        _ reader: DERReader<Slice<UnsafeRawBufferPointer>>
    ) throws(CryptographyError) -> KeyHandle {
        var outer = reader
        var fields = try outer.enter(DERTag.sequence)
        try outer.finish()
        try fields.readVersion(0)
        var integers: [SecretInteger] = []
        for _ in KeyHandle.rsaIntegerNames {
            integers.append(try SecretInteger(fields.readUnsignedInteger()))
        }
        try fields.finish()
        return try KeyHandle.rsaPair(integers)
    }

    private func rsaPrivateKey() throws(CryptographyError) -> Secret {
        var content = Secret(copying: DER.unsignedInteger([0]))
        for name in KeyHandle.rsaIntegerNames {
            let integer = try handle.integer(name)
            // One bit more than the magnitude has, so that the sign bit is clear.
            let digits = try integer.copyBytes(byteCount: integer.bitCount / 8 + 1)
            content = Secret(concatenating: content, DER.element(DERTag.integer, digits))
        }
        return DER.element(DERTag.sequence, content)
    }

    private static func pair(
        pointAndScalar bytes: UnsafeRawBufferPointer
    ) throws(CryptographyError) -> KeyHandle {
        let curve = EllipticCurve.allCases.first {
            $0.pointByteCount + $0.scalarByteCount == bytes.count
        }
        guard let curve, bytes.first == 0x04 else {
            throw .invalidInput("not a point and a scalar of a known curve")
        }
        return try KeyHandle.ellipticCurvePair(
            curve,
            point: [UInt8](bytes.prefix(curve.pointByteCount)),
            scalar: SecretInteger(bytes.dropFirst(curve.pointByteCount))
        )
    }
}
