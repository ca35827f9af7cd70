/// The source of a man page in the language of man(7).
///
/// The result is ASCII, so every locale shows it. No text becomes a request by accident.
///
/// ```swift
/// var page = RoffText("keychaind", section: 8, date: "2026-11-23", source: "swift-keychain 1.0")
/// page.section("NAME")
/// page.line("keychaind - serves keychains over a socket")
/// ```
struct RoffText {
    /// The whole page so far.
    private(set) var text: String

    /// Starts a page.
    ///
    /// - Parameters:
    ///   - name: The page's name, such as `keychaind`.
    ///   - section: The section of the manual, 1 to 8.
    ///   - date: The date, such as `2026-11-23`, or empty.
    ///   - source: The package and its version.
    init(_ name: String, section: Int, date: String, source: String) {
        let title = Self.escaping(name.uppercased())
        text = ".TH \(title) \(section) \"\(date)\" \"\(Self.escaping(source))\" Keychain\n"
        // Disables hyphenation and justification.
        text += ".nh\n.ad l\n"
    }

    mutating func section(_ title: String) { text += ".SH \(Self.escaping(title))\n" }

    mutating func subsection(_ title: String) { text += ".SS \(Self.escaping(title))\n" }

    mutating func paragraph() { text += ".PP\n" }

    /// Appends a line of prose.
    ///
    /// A dot at its start does not make it a request.
    mutating func line(_ line: String) {
        text += (line.hasPrefix(".") ? "\\&" : "") + Self.escaping(line) + "\n"
    }

    /// Starts an entry of a list: a bold tag, followed by indented lines.
    ///
    /// - Parameters:
    ///   - tags: One or more spellings.
    ///   - value: The text after each spelling, such as a placeholder.
    mutating func entry(_ tags: [String], _ value: String = "") {
        let written = tags.map { tag in
            let placeholder = value.isEmpty ? "" : " \\fI\(Self.escaping(value))\\fR"
            return "\\fB\(Self.escaping(tag))\\fR" + placeholder
        }
        text += ".TP\n" + written.joined(separator: ", ") + "\n"
    }

    /// Appends lines that keep their breaks and spaces.
    mutating func literal(_ lines: [String]) {
        text += ".nf\n"
        for line in lines { self.line(line) }
        text += ".fi\n"
    }

    /// Returns the text, escaped so that roff prints it unchanged.
    static func escaping(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if let name = names[scalar] { return name }
            guard !scalar.isASCII else { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
        }.joined()
    }

    // ★ Table: characters that roff would change. It prints a plain `-` as a hyphen, which does not
    // work when copied into a shell.

    private static let names: [UnicodeScalar: String] = [
        "\\": "\\(rs", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        "\"": "\\(dq", "…": "...",
    ]
}
