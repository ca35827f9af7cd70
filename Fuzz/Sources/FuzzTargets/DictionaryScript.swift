import KeychainModel
import Secrets

/// Reads a call of one of the four item functions out of an input.
///
/// The first byte chooses function and profiles. Then follow entries: the length of a key, the key,
/// a tag, and the value that belongs to the tag. Two lengths are marks: `secondDictionary` goes
/// on with the new values of an update, `foreignKey` stands for a key that is not a string.
struct DictionaryScript {
    static let secondDictionary: UInt8 = 0xFF
    static let foreignKey: UInt8 = 0xFE
    private static let depthLimit = 3

    /// The values by their tags.
    enum Tag: UInt8, CaseIterable {
        case string, data, number, real, bool, date, secret, accessControl, array, null
        case unsupported, reference
    }

    let choice: UInt8
    private(set) var dictionary: AttributeDictionary = [:]
    private(set) var changes: AttributeDictionary = [:]

    /// Reads all of an input.
    init(_ bytes: [UInt8]) {
        var reader = InputReader(bytes)
        choice = reader.byte()
        var isSecond = false
        while !reader.isAtEnd {
            let length = reader.byte()
            switch length {
            case Self.secondDictionary: isSecond = true
            case Self.foreignKey where isSecond: changes.foreignKeyCount += 1
            case Self.foreignKey: dictionary.foreignKeyCount += 1
            default:
                let key = String(decoding: reader.bytes(atMost: Int(length)), as: UTF8.self)
                let value = Self.value(from: &reader, depth: 0)
                if isSecond { changes[key] = value } else { dictionary[key] = value }
            }
        }
    }

    private static func value(from reader: inout InputReader, depth: Int) -> AttributeValue {
        let tags = Tag.allCases
        switch tags[Int(reader.byte()) % tags.count] {
        case .string: return .string(String(decoding: payload(from: &reader), as: UTF8.self))
        case .data: return .data(payload(from: &reader))
        case .number: return .number(Int64(bitPattern: reader.number()))
        case .real: return .real(Double(bitPattern: reader.number()))
        case .bool: return .bool(reader.byte() & 1 == 1)
        case .date: return .date(Double(bitPattern: reader.number()))
        case .secret: return .secret(SharedSecret(Secret(copying: payload(from: &reader))))
        case .accessControl:
            let protection = ProtectionClass.allCases[
                Int(reader.byte()) % ProtectionClass.allCases.count
            ]
            let flags = AccessControl.Flags(rawValue: reader.number())
            return .accessControl(AccessControl(protection: protection, flags: flags))
        case .array:
            guard depth < depthLimit else { return .array([]) }
            let count = Int(reader.byte() & 7)
            return .array((0..<count).map { _ in value(from: &reader, depth: depth + 1) })
        case .null: return .null
        case .unsupported: return .unsupported(typeName: "thing")
        case .reference:
            let letters = ItemClass.allCases[Int(reader.byte()) % ItemClass.allCases.count].rawValue
            return .data([UInt8](letters.utf8) + reader.bytes(atMost: 16))
        }
    }

    private static func payload(from reader: inout InputReader) -> [UInt8] {
        reader.bytes(atMost: Int(reader.byte()))
    }
}
