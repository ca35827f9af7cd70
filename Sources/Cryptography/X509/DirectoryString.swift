/// Turns the string types of certificates into text.
enum DirectoryString {
    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - bytes: The content of the element.
    ///   - tag: Its tag.
    /// - Returns: `nil` if the tag is no string's, the bytes do not fit it, or a zero character is
    ///   in the text, which only serves to deceive.
    static func text(_ bytes: [UInt8], tag: UInt8) -> String? {
        let text: String? =
            switch tag {
            case DERTag.utf8String: String(validating: bytes, as: UTF8.self)
            case DERTag.printableString, DERTag.ia5String, DERTag.visibleString,
                DERTag.numericString:
                bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
            case DERTag.teletexString:
                String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            case DERTag.bmpString: units(bytes).flatMap { String(validating: $0, as: UTF16.self) }
            case DERTag.universalString:
                units(bytes).flatMap { (units: [UInt32]) in
                    String(validating: units, as: UTF32.self)
                }
            default: nil
            }
        guard let text, !text.unicodeScalars.contains("\0") else { return nil }
        return text
    }

    private static func units<Unit: FixedWidthInteger>(_ bytes: [UInt8]) -> [Unit]? {
        let size = Unit.bitWidth / 8
        guard bytes.count.isMultiple(of: size) else { return nil }
        return stride(from: 0, to: bytes.count, by: size).map { start in
            bytes[start..<start + size].reduce(0) { $0 << 8 | Unit($1) }
        }
    }
}
