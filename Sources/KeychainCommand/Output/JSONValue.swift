import Secrets

/// A value for `--json`.
package enum JSONValue {
    case text(String)
    /// Written as a string; the bytes must be UTF-8.
    case secret(SharedSecret)
    case number(Int64)
    case flag(Bool)
    case null
    case list([JSONValue])
    case object([String: JSONValue])

    /// The value as lines: two spaces per level, keys in alphabetical order.
    package var page: Page {
        var page = Page()
        write(to: &page, indentation: "\n")
        page.append(raw: "\n")
        return page
    }

    // The indentation is a newline and the spaces that lead the current level's lines.
    private func write(to page: inout Page, indentation: String) {
        switch self {
        case .text(let text): page.append(raw: Self.quoted(text))
        case .secret(let shared): page.append(ByteRule.json.secret(of: shared.secret))
        case .number(let number): page.append(raw: String(number))
        case .flag(let flag): page.append(raw: flag ? "true" : "false")
        case .null: page.append(raw: "null")
        case .list(let values):
            Self.write(values.map { ("", $0) }, in: ("[", "]"), to: &page, indentation)
        case .object(let members):
            let members = members.sorted { $0.key < $1.key }.map { (key, value) in
                (Self.quoted(key) + ": ", value)
            }
            Self.write(members, in: ("{", "}"), to: &page, indentation)
        }
    }

    private static func write(
        _ members: [(lead: String, value: JSONValue)],
        in brackets: (open: String, close: String),
        to page: inout Page,
        _ indentation: String
    ) {
        page.append(raw: brackets.open)
        for (index, member) in members.enumerated() {
            page.append(raw: (index > 0 ? "," : "") + indentation + "  " + member.lead)
            member.value.write(to: &page, indentation: indentation + "  ")
        }
        page.append(raw: (members.isEmpty ? "" : indentation) + brackets.close)
    }

    private static func quoted(_ text: String) -> String {
        ByteRule.json.text(of: Array(text.utf8))
    }
}
