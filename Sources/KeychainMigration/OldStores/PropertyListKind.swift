import Foundation

/// The kind of a value in a property list before it became a secret.
package enum PropertyListKind: String, Codable, Sendable {
    case text, data, truth, integer, real, date
    /// A dictionary or array; its secret is a binary property list.
    case list

    init(_ value: Any) {
        switch value {
        case is String: self = .text
        case is Date: self = .date
        case let number as NSNumber: self = Self.kind(of: number)
        case is Data: self = .data
        default: self = .list
        }
    }

    private static func kind(of number: NSNumber) -> PropertyListKind {
        switch String(cString: number.objCType) {
        case "c", "B": .truth
        case "d", "f": .real
        default: .integer
        }
    }

    /// Returns the value that a secret represents; nil if the bytes do not have this kind.
    func value(of secret: SecretBytes) -> Any? {
        let bytes = secret.copyBytesUnprotected()
        guard self != .data else { return bytes }
        guard self != .list else { return PropertyListText.read(bytes)?.root }
        guard let text = String(data: bytes, encoding: .utf8) else { return nil }
        return switch self {
        case .truth: Bool(text).map { NSNumber(value: $0) }
        case .integer:
            Int64(text).map { NSNumber(value: $0) } ?? UInt64(text).map { NSNumber(value: $0) }
        case .real: Double(text).map { NSNumber(value: $0) }
        case .date: ISO8601DateFormatter().date(from: text)
        default: text
        }
    }
}
