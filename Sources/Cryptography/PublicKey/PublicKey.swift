import Secrets

/// The public half of a key pair; copyable, comparable and free to show.
package struct PublicKey: Sendable {
    /// The kind of the key.
    package let kind: KeyKind

    /// Apple's external representation.
    ///
    /// RSA: PKCS#1 RSAPublicKey in DER. NIST curves: `04 ‖ X ‖ Y`. Curve25519: 32 raw bytes.
    /// These are also the contents of the BIT STRING in a SubjectPublicKeyInfo.
    package let externalRepresentation: [UInt8]

    /// libcrypto's form, without a private half.
    let handle: KeyHandle

    /// Reads an external representation.
    ///
    /// - Parameters:
    ///   - family: The family of the key.
    ///   - externalRepresentation: See the property of that name; nothing may follow.
    /// - Throws: `invalidInput` if the bytes are not such a key, lie off their curve, or are too
    ///   small or too large; `backend`.
    package init(
        family: KeyFamily,
        externalRepresentation: [UInt8]
    ) throws(CryptographyError) {
        switch family {
        case .rsa: try self.init(rsaPublicKey: externalRepresentation)
        case .ellipticCurve: try self.init(uncompressedPoint: externalRepresentation)
        case .ed25519: try self.init(curve25519: externalRepresentation, kind: .ed25519)
        case .x25519: try self.init(curve25519: externalRepresentation, kind: .x25519)
        }
    }

    /// Returns the key's identity: SHA-1 of the external representation, 20 bytes.
    ///
    /// It is the application label of both halves and the public key hash of their certificates.
    ///
    /// - Throws: `backend`.
    package func identity() throws(CryptographyError) -> [UInt8] {
        try Digest.sha1(externalRepresentation)
    }

    private init(rsaPublicKey der: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(der[...])
        var fields = try outer.enter(DERTag.sequence)
        try outer.finish()
        let modulus = try fields.readUnsignedInteger()
        let exponent = try fields.readUnsignedInteger()
        try fields.finish()
        handle = try KeyHandle.rsaPublicKey(modulus: modulus, exponent: exponent)
        kind = .rsa(bitCount: handle.bitCount)
        externalRepresentation = der
    }

    private init(uncompressedPoint point: [UInt8]) throws(CryptographyError) {
        let curve = EllipticCurve.allCases.first { $0.pointByteCount == point.count }
        guard let curve, point.first == 0x04 else {
            throw .invalidInput("not an uncompressed point of a known curve")
        }
        handle = try KeyHandle.ellipticCurvePublicKey(curve, point: point)
        kind = .ellipticCurve(curve)
        externalRepresentation = point
    }

    private init(curve25519 bytes: [UInt8], kind: KeyKind) throws(CryptographyError) {
        guard bytes.count == KeyKind.curve25519ByteCount else {
            throw .invalidKeySize(expected: KeyKind.curve25519ByteCount, actual: bytes.count)
        }
        handle = try KeyHandle.curve25519PublicKey(bytes, kind: kind)
        self.kind = kind
        externalRepresentation = bytes
    }
}

extension PublicKey: Hashable {
    package static func == (first: PublicKey, second: PublicKey) -> Bool {
        first.kind == second.kind
            && first.externalRepresentation == second.externalRepresentation
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(externalRepresentation)
    }
}
