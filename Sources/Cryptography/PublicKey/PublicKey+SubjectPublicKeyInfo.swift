extension PublicKey {
    /// Reads a SubjectPublicKeyInfo in DER, the form of certificates and of `.pem` files.
    ///
    /// - Parameter der: Nothing may follow.
    /// - Throws: `invalidInput` if it is malformed or of an unknown kind; `backend`.
    /// - Source: RFC 5280 §4.1.2.7.
    package init(subjectPublicKeyInfo der: [UInt8]) throws(CryptographyError) {
        let (algorithm, bits) = try Self.splitSubjectPublicKeyInfo(der[...])
        guard let algorithm else { throw .unknownKeyKind }
        try self.init(family: algorithm.family, externalRepresentation: [UInt8](bits))
        guard algorithm.describes(kind) else {
            throw .invalidInput("point on another curve than announced")
        }
    }

    /// The key as a SubjectPublicKeyInfo in DER.
    package var subjectPublicKeyInfo: [UInt8] {
        DER.sequence(
            KeyAlgorithmIdentifier(kind).der,
            DER.wholeBitString(externalRepresentation)
        )
    }

    /// Takes a SubjectPublicKeyInfo apart.
    ///
    /// - Returns: The algorithm, `nil` if unknown, and the contents of the BIT STRING.
    /// - Throws: `invalidInput` if it is malformed.
    static func splitSubjectPublicKeyInfo(
        _ der: ArraySlice<UInt8>
    ) throws(CryptographyError) -> (algorithm: KeyAlgorithmIdentifier?, bits: ArraySlice<UInt8>) {
        var outer = DERReader(der)
        var fields = try outer.enter(DERTag.sequence)
        try outer.finish()
        let algorithm = try KeyAlgorithmIdentifier.read(from: fields.enter(DERTag.sequence))
        let bits = try fields.readWholeBitString()
        try fields.finish()
        return (algorithm, bits)
    }
}
