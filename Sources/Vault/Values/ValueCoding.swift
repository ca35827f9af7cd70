import Foundation

/// How values become bytes: texts as UTF-8, `Data` as it is, everything else as JSON.
///
/// Texts and `Data` are stored as other programs store them, so items can be shared with code that
/// does not use this module.
enum ValueCoding {
    static func encode(_ value: some Encodable) throws -> Data {
        switch value {
        case let text as String: return Data(text.utf8)
        case let bytes as Data: return bytes
        default:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(value)
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        if type == String.self, let text = String(data: bytes, encoding: .utf8) as? Value {
            return text
        }
        if type == Data.self, let value = bytes as? Value { return value }
        return try JSONDecoder().decode(type, from: bytes)
    }
}
