// Keys by their numbers, as PKCS #11 names them.

extension PublicKey {
    /// The modulus and public exponent of an RSA key, big-endian without leading zeros; nil for
    /// others.
    package var rsaNumbers: (modulus: [UInt8], exponent: [UInt8])? {
        guard kind.family == .rsa else { return nil }
        var outer = DERReader(externalRepresentation[...])
        guard var fields = try? outer.enter(DERTag.sequence),
            let modulus = try? fields.readUnsignedInteger(),
            let exponent = try? fields.readUnsignedInteger()
        else { return nil }
        return ([UInt8](modulus), [UInt8](exponent))
    }

    /// Creates an RSA key from its numbers, big-endian; leading zeros do not matter.
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

    /// Reads the point or raw key of a kind, bare or in a DER OCTET STRING.
    ///
    /// The size distinguishes the two forms: one bare point in 256 also parses as an OCTET STRING.
    ///
    /// - Throws: `invalidInput` for other bytes, also for a point of another curve; `backend`.
    package init(point bytes: [UInt8], of kind: KeyKind) throws(CryptographyError) {
        let byteCount = kind.curve?.pointByteCount ?? KeyKind.curve25519ByteCount
        var reader = DERReader(bytes[...])
        var bare = bytes
        if bytes.count != byteCount {
            bare = [UInt8](try reader.read(DERTag.octetString))
            try reader.finish()
        }
        guard kind.family != .rsa, bare.count == byteCount else {
            throw .invalidInput("not a point of the curve")
        }
        try self.init(family: kind.family, externalRepresentation: bare)
        guard self.kind == kind else { throw .invalidInput("point of another curve") }
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

    /// Finds the kind whose curve the bytes name: an object identifier, or a name of Curve25519.
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

    /// Whether the bytes name or describe a curve, known or not.
    ///
    /// They can be an object identifier, a name, or explicit parameters.
    package static func describeCurve(_ bytes: [UInt8]) -> Bool {
        [DERTag.objectIdentifier, DERTag.printableString, DERTag.sequence].contains { tag in
            var reader = DERReader(bytes[...])
            guard let content = try? reader.read(tag) else { return false }
            return reader.isAtEnd && !content.isEmpty
        }
    }
}
