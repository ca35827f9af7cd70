/// A JSON value that was not interpreted yet, or that is about to be written.
///
/// A leaf of the owner's type, such as a secret, can take the place of a text.
package indirect enum JSONTree<Own: Sendable>: Sendable {
    case null
    case flag(Bool)
    case number(Int64)
    /// A number that is not whole, or too large for `Int64`.
    case fraction(Double)
    case text(String)
    case own(Own)
    case list([JSONTree])
    case object([String: JSONTree])

    /// A number of either kind; nil for other values.
    package var double: Double? {
        switch self {
        case .number(let number): Double(number)
        case .fraction(let number): number
        default: nil
        }
    }
}

extension JSONTree {
    /// Converts every value of a text; of keys that occur twice, the last one counts.
    ///
    /// - Throws: `JSONError` for a string that is not text, and for an infinite number.
    package init(_ text: JSONText) throws(JSONError) { try self.init(text.root, of: text) }

    private init(_ node: JSONText.Node, of text: JSONText) throws(JSONError) {
        switch node.content {
        case .string: self = try Self.string(node, of: text)
        case .word: self = try Self.word(node, of: text)
        case .array(let elements):
            var list: [JSONTree] = []
            for element in elements { list.append(try JSONTree(element, of: text)) }
            self = .list(list)
        case .object(let members):
            var object: [String: JSONTree] = [:]
            for member in members { object[member.key] = try JSONTree(member.value, of: text) }
            self = .object(object)
        }
    }

    private static func string(
        _ node: JSONText.Node,
        of text: JSONText
    ) throws(JSONError) -> JSONTree {
        guard let decoded = text.text(node) else {
            throw JSONError(
                line: text.line(of: node),
                reason: "a string of the JSON that is not text"
            )
        }
        return .text(decoded)
    }

    private static func word(
        _ node: JSONText.Node,
        of text: JSONText
    ) throws(JSONError) -> JSONTree {
        switch String(decoding: text.bytes[node.range], as: UTF8.self) {
        case "null": return .null
        case "true": return .flag(true)
        case "false": return .flag(false)
        case let word:
            if let number = Int64(word) { return .number(number) }
            guard let number = Double(word), number.isFinite else {
                let reason = "a number of JSON that is too large"
                throw JSONError(line: text.line(of: node), reason: reason)
            }
            return .fraction(number)
        }
    }
}
