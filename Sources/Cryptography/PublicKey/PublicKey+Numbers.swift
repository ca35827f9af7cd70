// Keys by their numbers, as PKCS #11 names them one by one.

extension PublicKey {
    /// Modulus and public exponent of an RSA key, big-endian without leading zeros; nil for others.
    package var rsaNumbers: (modulus: [UInt8], exponent: [UInt8])? {
        guard kind.family == .rsa else { return nil }
        var outer = DERReader(externalRepresentation[...])
        guard var fields = try? outer.enter(DERTag.sequence),
            let modulus = try? fields.readUnsignedInteger(),
            let exponent = try? fields.readUnsignedInteger()
        else { return nil }
        return ([UInt8](modulus), [UInt8](exponent))
    }

    /// Takes the numbers of an RSA key, big-endian; leading zeros do not matter.
    ///
    /// - Throws: `invalidInput` for numbers that no RSA key has; `backend`.
    package init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(CryptographyError) {
        try self.init(
            family: .rsa,
            externalRepresentation: DER.sequence(
                DER.unsignedInteger(modulus),
                DER.unsignedInteger(exponent)
            )
        )
    }

    /// The point or raw key as a DER OCTET STRING; nil for an RSA key.
    package var pointOctetString: [UInt8]? {
        guard kind.family != .rsa else { return nil }
        return DER.element(DERTag.octetString, externalRepresentation)
    }

    /// The content of a DER OCTET STRING; nil for anything else.
    package static func point(octetString bytes: [UInt8]) -> [UInt8]? {
        var reader = DERReader(bytes[...])
        guard let content = try? reader.read(DERTag.octetString), reader.isAtEnd else { return nil }
        return [UInt8](content)
    }
}

extension KeyKind {
    /// The object identifier that names the curve, in DER; nil for RSA.
    package var curveParameters: [UInt8]? {
        switch self {
        case .rsa: nil
        case .ellipticCurve(let curve): DER.element(DERTag.objectIdentifier, curve.objectIdentifier)
        case .ed25519: DER.element(DERTag.objectIdentifier, ObjectIdentifier.ed25519)
        case .x25519: DER.element(DERTag.objectIdentifier, ObjectIdentifier.x25519)
        }
    }

    private static let curveNames: [(name: String, kind: KeyKind)] = [
        ("edwards25519", .ed25519), ("curve25519", .x25519),
    ]

    /// The kind whose curve the bytes name: an object identifier, or a name of Curve25519.
    ///
    /// - Source: PKCS #11 Current Mechanisms 3.0 §2.3.3, §2.3.5 and §2.3.7.
    package init?(curveParameters bytes: [UInt8]) {
        let curves = EllipticCurve.allCases.map(KeyKind.ellipticCurve) + [.ed25519, .x25519]
        if let named = curves.first(where: { $0.curveParameters == bytes }) {
            self = named
            return
        }
        var reader = DERReader(bytes[...])
        guard let text = try? reader.read(DERTag.printableString), reader.isAtEnd,
            let row = Self.curveNames.first(where: { $0.name.utf8.elementsEqual(text) })
        else { return nil }
        self = row.kind
    }
}
