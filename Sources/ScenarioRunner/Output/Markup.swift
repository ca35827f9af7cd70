/// HTML, SVG or XML in preparation, with all text in it escaped.
struct Markup: Sendable {
    let source: String

    /// Returns escaped text from a scenario.
    ///
    /// Replaces characters that XML forbids with U+FFFD.
    static func text(_ text: String) -> Markup {
        var source = ""
        for scalar in text.unicodeScalars { source += escaped(scalar) }
        return Markup(source: source)
    }

    /// Returns an element.
    ///
    /// Escapes the attributes; the children are escaped already.
    static func element(
        _ name: String,
        _ attributes: KeyValuePairs<String, String> = [:],
        _ children: [Markup] = []
    ) -> Markup {
        let attributes = attributes.map { " \($0.key)=\"\(text($0.value).source)\"" }.joined()
        guard !children.isEmpty else { return Markup(source: "<\(name)\(attributes)/>") }
        let content = children.map(\.source).joined()
        return Markup(source: "<\(name)\(attributes)>\(content)</\(name)>")
    }

    /// Returns an element that contains only text.
    static func element(
        _ name: String,
        _ attributes: KeyValuePairs<String, String> = [:],
        text: String
    ) -> Markup {
        element(name, attributes, [.text(text)])
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "\t", "\n", "\r": "&#\(scalar.value);"
        case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): "\u{FFFD}"
        case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
        default: String(scalar)
        }
    }
}
