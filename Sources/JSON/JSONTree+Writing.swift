/// A destination for a written JSON value.
package protocol JSONOutput<Own> {
    associatedtype Own: Sendable

    /// Appends marks, words, numbers and blanks unchanged.
    mutating func append(raw text: String)
    /// Appends a text as a string with its quotes.
    mutating func append(quoted text: String)
    /// Appends a leaf of the owner's type.
    mutating func append(own leaf: Own)
}

extension JSONTree {
    /// Writes the value as lines: two spaces per level, keys in alphabetical order.
    package func write(to output: inout some JSONOutput<Own>) {
        write(to: &output, indentation: "\n")
        output.append(raw: "\n")
    }

    // The indentation is a newline and the leading spaces of the current level's lines.
    private func write(to output: inout some JSONOutput<Own>, indentation: String) {
        switch self {
        case .text(let text): output.append(quoted: text)
        case .own(let leaf): output.append(own: leaf)
        case .number(let number): output.append(raw: String(number))
        case .fraction(let number): output.append(raw: String(number))
        case .flag(let flag): output.append(raw: flag ? "true" : "false")
        case .null: output.append(raw: "null")
        case .list(let values):
            Self.write(values.map { (nil, $0) }, in: ("[", "]"), to: &output, indentation)
        case .object(let members):
            let members = members.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
            Self.write(members, in: ("{", "}"), to: &output, indentation)
        }
    }

    private static func write(
        _ members: [(key: String?, value: JSONTree)],
        in brackets: (open: String, close: String),
        to output: inout some JSONOutput<Own>,
        _ indentation: String
    ) {
        output.append(raw: brackets.open)
        for (index, member) in members.enumerated() {
            output.append(raw: (index > 0 ? "," : "") + indentation + "  ")
            if let key = member.key {
                output.append(quoted: key)
                output.append(raw: ": ")
            }
            member.value.write(to: &output, indentation: indentation + "  ")
        }
        output.append(raw: (members.isEmpty ? "" : indentation) + brackets.close)
    }
}
