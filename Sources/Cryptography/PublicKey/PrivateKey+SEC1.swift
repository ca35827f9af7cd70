import Secrets

extension PrivateKey {
    /// Reads an ECPrivateKey in DER that names its curve: the `EC PRIVATE KEY` of `.pem` files.
    ///
    /// - Parameter der: Nothing may follow.
    /// - Throws: `invalidInput` if it is malformed, of an unknown curve or inconsistent; `backend`.
    /// - Source: RFC 5915 §3.
    package init(ecPrivateKey der: borrowing Secret) throws(CryptographyError) {
        let handle = try der.withUnsafeBytes { bytes throws(CryptographyError) in
            try Self.ellipticCurvePair(DERReader(bytes[...]), announced: nil)
        }
        try self.init(handle: handle, family: .ellipticCurve)
    }

    /// Reads an ECPrivateKey.
    ///
    /// - Parameters:
    ///   - reader: At the outer SEQUENCE.
    ///   - announced: The curve that the surrounding structure names, if it does.
    /// - Returns: The pair.
    /// - Throws: `invalidInput`, `backend`.
    static func ellipticCurvePair(
        _ reader: DERReader<Slice<UnsafeRawBufferPointer>>,
        announced: EllipticCurve?
    ) throws(CryptographyError) -> KeyHandle {
        var outer = reader
        var fields = try outer.enter(DERTag.sequence)
        try outer.finish()
        try fields.readVersion(1)
        let scalar = try fields.read(DERTag.octetString)
        let named = try namedCurve(in: &fields)
        let point = try publicPoint(in: &fields)
        try fields.finish()
        guard let curve = announced ?? named, named ?? curve == curve else {
            throw .unknownKeyKind
        }
        guard (1...curve.scalarByteCount).contains(scalar.count) else {
            throw .invalidInput("scalar of another curve")
        }
        return try KeyHandle.ellipticCurvePair(
            curve,
            point: point,
            scalar: SecretInteger(scalar)
        )
    }

    /// Writes an ECPrivateKey in DER that names its curve.
    ///
    /// - Throws: `invalidInput` for a key that is on no NIST curve; `backend`.
    package func ecPrivateKey() throws(CryptographyError) -> Secret {
        guard let curve = kind.curve else { throw .invalidInput("key on no NIST curve") }
        let name = DER.element(DERTag.objectIdentifier, curve.objectIdentifier)
        return try ecPrivateKey(curve, parameters: DER.element(DERTag.constructed(0), name))
    }

    /// Returns the key as an ECPrivateKey without the curve's name, for PKCS#8.
    func ecPrivateKeyWithoutCurve(_ curve: EllipticCurve) throws(CryptographyError) -> Secret {
        try ecPrivateKey(curve, parameters: [])
    }

    private func ecPrivateKey(
        _ curve: EllipticCurve,
        parameters: [UInt8]
    ) throws(CryptographyError) -> Secret {
        let scalar = try handle.scalar(byteCount: curve.scalarByteCount)
        let leading = Secret(
            concatenating: Secret(copying: DER.unsignedInteger([1])),
            DER.element(DERTag.octetString, scalar)
        )
        let point = DER.wholeBitString(publicKey.externalRepresentation)
        let trailing = parameters + DER.element(DERTag.constructed(1), point)
        return DER.element(
            DERTag.sequence,
            Secret(concatenating: leading, Secret(copying: trailing))
        )
    }

    private static func namedCurve(
        in fields: inout DERReader<Slice<UnsafeRawBufferPointer>>
    ) throws(CryptographyError) -> EllipticCurve? {
        guard let content = try fields.readIfPresent(DERTag.constructed(0)) else { return nil }
        var parameters = DERReader(content)
        let name = try parameters.read(DERTag.objectIdentifier)
        try parameters.finish()
        let curve = EllipticCurve.allCases.first { name.elementsEqual($0.objectIdentifier) }
        guard let curve else { throw .unknownKeyKind }
        return curve
    }

    private static func publicPoint(
        in fields: inout DERReader<Slice<UnsafeRawBufferPointer>>
    ) throws(CryptographyError) -> [UInt8]? {
        guard let content = try fields.readIfPresent(DERTag.constructed(1)) else { return nil }
        var point = DERReader(content)
        let bits = try point.readWholeBitString()
        try point.finish()
        return [UInt8](bits)
    }
}
