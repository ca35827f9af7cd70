import KeychainModel
import PlaintextFormats

/// The way in which the text of an option becomes the value of an attribute.
enum AttributeTarget: Sendable {
    case text(Attribute)
    /// The text's UTF-8 bytes.
    case bytes(Attribute)
    /// Bytes written as hexadecimal digits.
    case hexadecimal(Attribute)
    /// Up to four letters, kept as a number.
    case letterNumber(Attribute)
    /// Up to four letters, padded with spaces.
    case letters(Attribute)
    /// The same for a protocol, or a longer scheme that has no letters.
    case protocolName
    case port
    case accessible
    /// The option has no value; its presence means true.
    case flag(Attribute)

    /// The attribute that the option sets.
    var attribute: Attribute {
        switch self {
        case .text(let attribute), .bytes(let attribute), .hexadecimal(let attribute),
            .letterNumber(let attribute), .letters(let attribute), .flag(let attribute):
            attribute
        case .protocolName: .protocolName
        case .port: .port
        case .accessible: .accessible
        }
    }

    /// Returns the value for a query; nil if the text has the wrong form.
    func value(of text: String) -> AttributeValue? {
        switch self {
        case .text: .string(text)
        case .bytes: .data(Array(text.utf8))
        case .hexadecimal: Self.bytes(text).map(AttributeValue.data)
        case .letterNumber: FourLetterCode.number(of: text).map(AttributeValue.number)
        case .letters: FourLetterCode.padded(text).map(AttributeValue.string)
        case .protocolName:
            (FourLetterCode.padded(text) ?? Self.scheme(text)).map(AttributeValue.string)
        case .port: UInt16(text).map { .number(Int64($0)) }
        case .accessible: ProtectionName.protection(text).map { .string($0.code) }
        case .flag: .bool(true)
        }
    }

    /// A description of the values that the option takes, for the message about a wrong one.
    var expectation: String {
        switch self {
        case .text, .bytes, .flag: "text"
        case .hexadecimal: "an even number of hexadecimal digits"
        case .letterNumber, .letters, .protocolName: "up to four letters"
        case .port: "a number from 0 to 65535"
        case .accessible: "one of " + ProtectionName.all.joined(separator: ", ")
        }
    }

    /// Returns the text if it can be the scheme of a URL, for schemes without a code of four
    /// letters.
    private static func scheme(_ text: String) -> String? {
        let isScheme = text.utf8.allSatisfy { byte in
            let scalar = UnicodeScalar(byte)
            return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                || "+-.:".unicodeScalars.contains(scalar)
        }
        return isScheme && ProtocolName.letters(ofScheme: text) == nil ? text : nil
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let values = digits.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { index in
            (values[index] ?? 0) << 4 | (values[index + 1] ?? 0)
        }
    }
}
