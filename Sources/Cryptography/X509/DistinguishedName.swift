/// The name of a certificate's subject or issuer (X.501 Name).
package struct DistinguishedName: Sendable, Hashable {
    /// One attribute of the name, such as a common name.
    struct Attribute: Hashable {
        /// The content of the attribute type's object identifier.
        let type: [UInt8]
        /// The tag of the value's string type.
        let tag: UInt8
        /// The content of the value.
        let value: [UInt8]

        /// The value as text, if it is text.
        var text: String? { DirectoryString.text(value, tag: tag) }
    }

    /// The whole Name in DER, as the certificate has it.
    package let der: [UInt8]

    /// The name's parts in order; the parts of one level are in one array.
    let levels: [[Attribute]]

    /// Reads a Name.
    ///
    /// - Parameter der: The outer SEQUENCE; nothing may follow.
    /// - Throws: `invalidInput` if it is malformed.
    package init(der: [UInt8]) throws(CryptographyError) {
        var outer = DERReader(der[...])
        let content = try outer.read(DERTag.sequence)
        try outer.finish()
        self.der = der
        levels = try Self.levels(in: content)
    }

    /// The content of the name without the outer SEQUENCE, in the form for comparisons.
    ///
    /// PrintableStrings are in upper case, without blanks at the ends and with single blanks
    /// inside; every other value stays unchanged.
    package var normalizedContent: [UInt8] {
        levels.flatMap { level in
            DER.element(DERTag.set, level.flatMap(Self.normalized))
        }
    }

    /// Returns the values of one attribute type that are text, in order.
    func texts(of type: [UInt8]) -> [String] {
        levels.joined().filter { $0.type == type }.compactMap(\.text)
    }

    private static func levels(
        in content: ArraySlice<UInt8>
    ) throws(CryptographyError) -> [[Attribute]] {
        var reader = DERReader(content)
        var levels: [[Attribute]] = []
        while !reader.isAtEnd {
            var set = try reader.enter(DERTag.set)
            var level: [Attribute] = []
            repeat {
                level.append(try attribute(in: &set))
            } while !set.isAtEnd
            levels.append(level)
        }
        return levels
    }

    private static func attribute(
        in set: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) -> Attribute {
        var fields = try set.enter(DERTag.sequence)
        let type = try fields.read(DERTag.objectIdentifier)
        let value = try fields.readElement()
        try fields.finish()
        return Attribute(type: [UInt8](type), tag: value.tag, value: [UInt8](value.content))
    }

    private static func normalized(_ attribute: Attribute) -> [UInt8] {
        let value =
            attribute.tag == DERTag.printableString
            ? normalized(printable: attribute.value) : attribute.value
        return DER.sequence(
            DER.element(DERTag.objectIdentifier, attribute.type),
            DER.element(attribute.tag, value)
        )
    }

    private static func normalized(printable value: [UInt8]) -> [UInt8] {
        let blank = UInt8(ascii: " ")
        let words = value.split(separator: blank)
        let lowercase = UInt8(ascii: "a")...UInt8(ascii: "z")
        return Array(words.joined(separator: [blank])).map { byte in
            lowercase.contains(byte) ? byte - 0x20 : byte
        }
    }
}

extension DistinguishedName {
    /// Normalizes the name in a query.
    ///
    /// - Parameter bytes: A whole Name in DER, or its content, normalized or not.
    /// - Returns: The normalized content.
    /// - Throws: `invalidInput` if it is neither.
    package static func normalizedContent(
        ofNameOrContent bytes: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        let isWhole = bytes.first == DERTag.sequence
        let der = isWhole ? bytes : DER.element(DERTag.sequence, bytes)
        return try DistinguishedName(der: der).normalizedContent
    }
}
