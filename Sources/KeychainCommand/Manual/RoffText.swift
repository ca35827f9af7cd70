/// A man page in the making: text in the language of man(7).
///
/// The result is ASCII, so that every locale shows it, and no line of it acts as a request unless
/// this type wrote it.
///
/// ```swift
/// var page = RoffText("keychaind", section: 8, date: "2026-11-23", source: "swift-keychain 1.0")
/// page.section("NAME")
/// page.line("keychaind - serves keychains over a socket")
/// ```
struct RoffText {
    /// The whole page so far.
    private(set) var text: String

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - name: The page's name, such as `keychaind`.
    ///   - section: The section of the manual, 1 to 8.
    ///   - date: Such as `2026-11-23`, or empty.
    ///   - source: The package and its version.
    init(_ name: String, section: Int, date: String, source: String) {
        let title = Self.escaping(name.uppercased())
        text = ".TH \(title) \(section) \"\(date)\" \"\(Self.escaping(source))\" Keychain\n"
        // No name is cut at a hyphen, no line pulled apart.
        text += ".nh\n.ad l\n"
    }

    mutating func section(_ title: String) { text += ".SH \(Self.escaping(title))\n" }

    mutating func subsection(_ title: String) { text += ".SS \(Self.escaping(title))\n" }

    mutating func paragraph() { text += ".PP\n" }

    /// A line of running text; one that begins with a dot is text, too.
    mutating func line(_ line: String) {
        text += (line.hasPrefix(".") ? "\\&" : "") + Self.escaping(line) + "\n"
    }

    /// Begins an entry of a list: a bold tag, below which the lines that follow are indented.
    ///
    /// - Parameters:
    ///   - tags: One or more ways to write the same.
    ///   - value: What follows each of them, such as a placeholder.
    mutating func entry(_ tags: [String], _ value: String = "") {
        let written = tags.map { tag in
            let placeholder = value.isEmpty ? "" : " \\fI\(Self.escaping(value))\\fR"
            return "\\fB\(Self.escaping(tag))\\fR" + placeholder
        }
        text += ".TP\n" + written.joined(separator: ", ") + "\n"
    }

    /// Lines that keep their breaks and spaces.
    mutating func literal(_ lines: [String]) {
        text += ".nf\n"
        for line in lines { self.line(line) }
        text += ".fi\n"
    }

    /// Text that roff prints as it is.
    static func escaping(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if let name = names[scalar] { return name }
            guard !scalar.isASCII else { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }.joined()
    }

    // ★ Table: characters that roff would change. A plain `-` is a hyphen, which nobody can copy.

    private static let names: [UnicodeScalar: String] = [
        "\\": "\\(rs", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        "\"": "\\(dq", "…": "...",
    ]
}
