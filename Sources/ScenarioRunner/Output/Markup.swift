/// HTML, SVG or XML in the making: what is text in it is escaped.
struct Markup: Sendable {
    let source: String

    /// Text out of a scenario, made harmless.
    ///
    /// Characters that XML forbids become U+FFFD.
    static func text(_ text: String) -> Markup {
        var source = ""
        for scalar in text.unicodeScalars { source += escaped(scalar) }
        return Markup(source: source)
    }

    /// An element; attributes are escaped, children are not again.
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

    /// An element of text alone.
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
