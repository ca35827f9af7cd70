/// Conversion of the string types of certificates to text.
enum DirectoryString {
    /// Decodes a value.
    ///
    /// A zero at the end is not part of the text: some issuers include the end of a C string.
    ///
    /// - Parameters:
    ///   - bytes: The content of the element.
    ///   - tag: Its tag.
    /// - Returns: `nil` if the tag is not that of a string, the bytes do not have its encoding, or
    ///   the text contains a zero character, whose only purpose is to deceive.
    /// - Source: Apple's source, SecCertificate.c (Security-61901), for the encoding of each type;
    ///   X.690 §8.23 for UniversalString, which Apple reads as UTF-8.
    static func text(_ bytes: [UInt8], tag: UInt8) -> String? {
        guard let text = decoded(bytes, tag) else { return nil }
        var scalars = text.unicodeScalars
        if scalars.last == "\0" { scalars.removeLast() }
        return scalars.contains("\0") ? nil : String(scalars)
    }

    private static func decoded(_ bytes: [UInt8], _ tag: UInt8) -> String? {
        switch tag {
        case DERTag.utf8String, DERTag.generalString: String(validating: bytes, as: UTF8.self)
        case DERTag.printableString, DERTag.ia5String, DERTag.numericString:
            bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
        case DERTag.teletexString, DERTag.videotexString, DERTag.visibleString:
            // Latin 1, which is how these types are used in practice.
            String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        case DERTag.bmpString: units(bytes).flatMap { String(validating: $0, as: UTF16.self) }
        case DERTag.universalString:
            units(bytes).flatMap { (units: [UInt32]) in String(validating: units, as: UTF32.self) }
        default: nil
        }
    }

    private static func units<Unit: FixedWidthInteger>(_ bytes: [UInt8]) -> [Unit]? {
        let size = Unit.bitWidth / 8
        guard bytes.count.isMultiple(of: size) else { return nil }
        return stride(from: 0, to: bytes.count, by: size).map { start in
            bytes[start..<start + size].reduce(0) { $0 << 8 | Unit($1) }
        }
    }
}
