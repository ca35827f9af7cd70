import JSON
import Secrets

/// The lines of `.npmrc` by the rules of npm's reader.
///
/// An unquoted value ends at a `;` or `#` without a backslash before it. Double quotes contain a
/// JSON string. Between single quotes every byte counts.
/// - Source: The package ini, `decode` and `unsafe`.
struct NpmSettings {
    struct Row {
        /// The section; nil outside of sections.
        let section: String?
        let key: String
        let value: WrittenSecret
        let line: Int
        /// The reason why the value differs from its text; nil if it does not.
        let hindrance: String?
    }

    private(set) var rows: [Row] = []
    private(set) var oddities: [PlaintextError] = []

    init(_ view: ByteView) {
        var section: String?
        for line in view.lines {
            let content = view.trimmed(line.content)
            guard let first = content.first, !Self.comments.contains(view[first]) else { continue }
            do throws(PlaintextError) {
                if view[first] == UInt8(ascii: "["), let last = content.last,
                    view[last] == UInt8(ascii: "]")
                {
                    section = try view.text(first + 1..<last)
                } else if let equals = view.first("=", in: content), equals > first {
                    let key = Self.written(view.trimmed(first..<equals), view)
                    let value = Self.written(view.trimmed(equals + 1..<content.upperBound), view)
                    let row = Row(
                        section: section,
                        key: try view.text(key.range, key.encoding),
                        value: value,
                        line: line.number,
                        hindrance: Self.hindrance(value, view)
                    )
                    rows.append(row)
                }
            } catch {
                oddities.append(error)
            }
        }
    }

    private static let comments = Set(";#".utf8)

    /// Returns the range and encoding of the value after the equals sign.
    private static func written(_ range: Range<Int>, _ view: ByteView) -> WrittenSecret {
        if range.count >= 2, let first = range.first, let last = range.last,
            view[first] == view[last]
        {
            let inside = first + 1..<last
            if view[first] == UInt8(ascii: "'") { return WrittenSecret(inside) }
            if view[first] == UInt8(ascii: "\""), isJSON(range, view) {
                return WrittenSecret(inside, .json)
            }
        }
        var index = range.lowerBound
        while index < range.upperBound, !comments.contains(view[index]) {
            let isPair = view[index] == SecretEncoding.backslash && index + 1 < range.upperBound
            index += isPair && SecretEncoding.iniSpecial.contains(view[index + 1]) ? 2 : 1
        }
        return WrittenSecret(view.trimmed(range.lowerBound..<index), .ini)
    }

    /// Whether bytes are one complete JSON value.
    private static func isJSON(_ range: Range<Int>, _ view: ByteView) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: view.bytes[range])
        guard let json = try? JSONText(bytes) else { return false }
        guard let inside = json.inside(of: json.root) else { return true }
        return SecretEncoding.json.decoded(bytes[inside]) != nil
    }

    /// Returns the reason why npm reads a value as something other than text; nil if it is text.
    private static func hindrance(_ value: WrittenSecret, _ view: ByteView) -> String? {
        let isOther: Bool
        switch value.encoding {
        case .plain: isOther = isJSON(value.range, view)
        case .ini:
            isOther = ["true", "false", "null"].contains { word in
                view.bytes[value.range].elementsEqual(word.utf8)
            }
        default: isOther = false
        }
        return isOther ? "npm reads it as something else than text" : nil
    }
}
