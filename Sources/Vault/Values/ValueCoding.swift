import Foundation

/// The conversion between values and bytes: texts as UTF-8, `Data` as it is, all else as JSON.
///
/// Other programs store texts and `Data` in the same way, so they can share items with this module.
/// nil has no encoding: as JSON it would be the text "null".
enum ValueCoding {
    struct NoValue: Error {}

    static func encode(_ value: some Encodable) throws -> Data {
        switch value {
        case let text as String: return Data(text.utf8)
        case let bytes as Data: return bytes
        case let value as any Wrapper where value.isEmpty: throw NoValue()
        default:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(value)
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        // Foundation would drop a byte order mark, which may be a part of a secret.
        if isText(type), let text = String(validating: bytes, as: UTF8.self) as? Value {
            return text
        }
        if type == Data.self || type == Data?.self, let value = bytes as? Value { return value }
        return try JSONDecoder().decode(type, from: bytes)
    }

    private static func isText(_ type: Any.Type) -> Bool {
        type == String.self || type == String?.self
    }
}

/// A value of any type that may be nil.
private protocol Wrapper {
    var isEmpty: Bool { get }
}

extension Optional: Wrapper {
    fileprivate var isEmpty: Bool {
        switch self {
        case nil: true
        case let inner as any Wrapper: inner.isEmpty
        default: false
        }
    }
}
