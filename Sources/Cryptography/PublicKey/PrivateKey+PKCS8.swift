import Secrets

extension PrivateKey {
    /// Reads an unencrypted PrivateKeyInfo in DER, the `PRIVATE KEY` of `.pem` files.
    ///
    /// - Parameter der: Nothing may follow.
    /// - Throws: `invalidInput` if it is malformed, of an unknown kind or inconsistent; `backend`.
    /// - Source: RFC 5208 §5, RFC 5958 §2.
    package init(pkcs8 der: borrowing Secret) throws(CryptographyError) {
        let (handle, family) = try der.withUnsafeBytes { bytes throws(CryptographyError) in
            try Self.pair(privateKeyInfo: DERReader(bytes[...]))
        }
        try self.init(handle: handle, family: family)
    }

    /// Writes an unencrypted PrivateKeyInfo in DER.
    ///
    /// - Throws: `backend`.
    package func pkcs8() throws(CryptographyError) -> Secret {
        let header = DER.unsignedInteger([0]) + KeyAlgorithmIdentifier(kind).der
        let content = Secret(
            concatenating: Secret(copying: header),
            DER.element(DERTag.octetString, try pkcs8PrivateKey())
        )
        return DER.element(DERTag.sequence, content)
    }

    private func pkcs8PrivateKey() throws(CryptographyError) -> Secret {
        switch kind {
        case .rsa: try externalRepresentation()
        case .ellipticCurve(let curve): try ecPrivateKeyWithoutCurve(curve)
        case .ed25519, .x25519: DER.element(DERTag.octetString, try handle.rawPrivateKey())
        }
    }

    private static func pair(
        privateKeyInfo reader: DERReader<Slice<UnsafeRawBufferPointer>>
    ) throws(CryptographyError) -> (KeyHandle, KeyFamily) {
        var outer = reader
        var fields = try outer.enter(DERTag.sequence)
        try outer.finish()
        let version = try fields.readUnsignedInteger()
        guard version.elementsEqual([0]) || version.elementsEqual([1]) else {
            throw .invalidInput("private key of an unknown version")
        }
        let algorithm = try KeyAlgorithmIdentifier.read(from: fields.enter(DERTag.sequence))
        let key = try fields.enter(DERTag.octetString)
        // Attributes and a repeated public key may follow; neither is needed.
        _ = try fields.readIfPresent(DERTag.constructed(0))
        _ = try fields.readIfPresent(DERTag.primitive(1))
        try fields.finish()
        guard let algorithm else { throw .unknownKeyKind }
        return (try pair(key, algorithm), algorithm.family)
    }

    private static func pair(
        _ reader: DERReader<Slice<UnsafeRawBufferPointer>>,
        _ algorithm: KeyAlgorithmIdentifier
    ) throws(CryptographyError) -> KeyHandle {
        switch algorithm {
        case .rsa: try rsaPair(reader)
        case .ellipticCurve(let curve): try ellipticCurvePair(reader, announced: curve)
        case .ed25519: try curve25519Pair(reader, kind: .ed25519)
        case .x25519: try curve25519Pair(reader, kind: .x25519)
        }
    }

    /// Reads a CurvePrivateKey (RFC 8410 §7).
    private static func curve25519Pair(
        _ reader: DERReader<Slice<UnsafeRawBufferPointer>>,
        kind: KeyKind
    ) throws(CryptographyError) -> KeyHandle {
        var outer = reader
        let seed = try outer.read(DERTag.octetString)
        try outer.finish()
        return try KeyHandle.curve25519Pair(UnsafeRawBufferPointer(rebasing: seed), kind: kind)
    }
}
