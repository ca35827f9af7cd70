/// The additional names of a certificate's subject.
///
/// - Source: RFC 5280 §4.2.1.6.
struct SubjectAlternativeName {
    /// The rfc822Names, in order.
    private(set) var emailAddresses: [String] = []

    /// The dNSNames, in order.
    private(set) var hostNames: [String] = []

    /// Creates a value without names.
    init() {}

    /// Reads the value of the extension.
    ///
    /// - Throws: `invalidInput` if it is malformed.
    init(_ value: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(value[...])
        var names = try outer.enter(DERTag.sequence)
        try outer.finish()
        while !names.isAtEnd {
            let name = try names.readElement()
            let text = DirectoryString.text([UInt8](name.content), tag: DERTag.ia5String)
            switch name.tag {
            case DERTag.primitive(1): emailAddresses += text.map { [$0] } ?? []
            case DERTag.primitive(2): hostNames += text.map { [$0] } ?? []
            default: continue
            }
        }
    }
}
