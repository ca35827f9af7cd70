/// The used fields of a TBSCertificate, read strictly.
///
/// - Source: RFC 5280 §4.1.
struct CertificateFields {
    /// The values of extensions, by the content of their object identifiers.
    typealias Extensions = [[UInt8]: [UInt8]]

    let version: Int
    let serialNumber: [UInt8]
    let issuer: DistinguishedName
    let subject: DistinguishedName
    let subjectPublicKeyInfo: [UInt8]
    let extensions: Extensions

    /// Reads a certificate.
    ///
    /// - Parameter der: The whole certificate; nothing may follow.
    /// - Throws: `invalidInput` if it is malformed.
    init(certificate der: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(der[...])
        var parts = try outer.enter(DERTag.sequence)
        try outer.finish()
        var fields = try parts.enter(DERTag.sequence)
        _ = try parts.read(DERTag.sequence)
        _ = try parts.readWholeBitString()
        try parts.finish()

        version = try Self.version(in: &fields)
        serialNumber = [UInt8](try fields.read(DERTag.integer))
        _ = try fields.read(DERTag.sequence)
        issuer = try Self.name(in: &fields)
        _ = try fields.read(DERTag.sequence)
        subject = try Self.name(in: &fields)
        let keyInfo = try fields.readElement()
        subjectPublicKeyInfo = [UInt8](keyInfo.encoding)
        _ = try fields.readIfPresent(DERTag.primitive(1))
        _ = try fields.readIfPresent(DERTag.primitive(2))
        extensions = try Self.extensions(in: &fields)
        try fields.finish()
    }

    /// Returns the certificate with two empty names in place of its own, which invalidates its
    /// signature.
    ///
    /// - Throws: `invalidInput` if it is malformed.
    static func withoutNames(_ der: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var outer = DERReader(der[...])
        var parts = try outer.enter(DERTag.sequence)
        var fields = try parts.enter(DERTag.sequence)
        var elements: [[UInt8]] = []
        while !fields.isAtEnd { elements.append([UInt8](try fields.readElement().encoding)) }
        // The version field precedes the others, but is absent in version 1.
        let issuer = elements.first?.first == DERTag.constructed(0) ? 3 : 2
        let subject = issuer + 2
        guard elements.indices.contains(subject) else {
            throw .invalidInput("certificate without names")
        }
        for place in [issuer, subject] { elements[place] = DER.sequence() }
        var rest: [UInt8] = []
        while !parts.isAtEnd { rest += try parts.readElement().encoding }
        return DER.sequence(DER.sequence(elements.flatMap(\.self)), rest)
    }

    private static func version(
        in fields: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) -> Int {
        guard let content = try fields.readIfPresent(DERTag.constructed(0)) else { return 1 }
        var explicit = DERReader(content)
        let number = try explicit.readUnsignedInteger()
        try explicit.finish()
        guard let last = number.first, number.count == 1, last <= 2 else {
            throw .invalidInput("certificate of an unknown version")
        }
        return Int(last) + 1
    }

    private static func name(
        in fields: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) -> DistinguishedName {
        try DistinguishedName(der: [UInt8](fields.readElement().encoding))
    }

    private static func extensions(
        in fields: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) -> Extensions {
        guard let content = try fields.readIfPresent(DERTag.constructed(3)) else { return [:] }
        var explicit = DERReader(content)
        var list = try explicit.enter(DERTag.sequence)
        try explicit.finish()
        var extensions: Extensions = [:]
        while !list.isAtEnd {
            var parts = try list.enter(DERTag.sequence)
            let type = [UInt8](try parts.read(DERTag.objectIdentifier))
            _ = try parts.readIfPresent(DERTag.boolean)
            let value = [UInt8](try parts.read(DERTag.octetString))
            try parts.finish()
            guard extensions.updateValue(value, forKey: type) == nil else {
                throw .invalidInput("certificate with an extension twice")
            }
        }
        return extensions
    }
}
