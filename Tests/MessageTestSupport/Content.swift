import KeychainModel
import Secrets

/// All that is in a value, as one line: two values with the same line have the same content.
///
/// Names are those of cases and fields, so that a line can be written by hand. Bytes and secrets
/// are in hexadecimal.
package func content(of value: Any) -> String {
    switch value {
    case let text as String: return "\"\(text)\""
    case let attribute as Attribute: return attribute.rawValue
    case let bytes as [UInt8]: return hexadecimal(bytes)
    case let secret as SharedSecret:
        return "secret " + hexadecimal(secret.secret.copyBytesUnprotected())
    case let number as any FixedWidthInteger: return "\(number)"
    case let flag as Bool: return "\(flag)"
    case let number as Double: return "\(number)"
    case let duration as Duration: return "\(duration)"
    default: return reflected(value)
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return "<" + digits.joined() + ">"
}

private func reflected(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { content(of: $0.value) } ?? "nil"
    case .collection:
        return "[" + mirror.children.map { content(of: $0.value) }.joined(separator: ", ") + "]"
    case .dictionary:
        return "{" + mirror.children.map { content(of: $0.value) }.sorted().joined(separator: ", ")
            + "}"
    case .enum:
        guard let child = mirror.children.first else { return "\(value)" }
        return (child.label ?? "") + " " + content(of: child.value)
    case .struct where mirror.children.isEmpty: return "\(value)"
    default: return "(" + mirror.children.map(field).joined(separator: ", ") + ")"
    }
}

private func field(_ child: Mirror.Child) -> String {
    guard let label = child.label, !label.hasPrefix(".") else { return content(of: child.value) }
    return label + ": " + content(of: child.value)
}
