/// The `--help` text of a program, as a page of the manual.
///
/// The programs of this package print `usage:`, a paragraph about their work, their options with
/// two spaces before each, and an example.
struct ProgramHelp {
    private let synopsis: [String]
    private let body: [String]
    private let exitStatus: [String]
    private let examples: [String]

    /// Parses the text; nil if it does not begin with a usage line.
    init?(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[
            ...
        ]
        guard let first = lines.first, first.hasPrefix(Self.usage) else { return nil }
        let synopsis = lines.prefix { !$0.isEmpty }
        lines = lines.dropFirst(synopsis.count)
        self.synopsis = synopsis.map { String($0.dropFirst(Self.usage.count)) }
        let status = lines.first { $0.hasPrefix(Self.status) }
        exitStatus = status.map { [String($0.dropFirst(Self.status.count))] } ?? []
        examples = lines.filter { $0.hasPrefix(Self.example) }.map {
            String($0.dropFirst(Self.example.count))
        }
        body = lines.filter { !$0.hasPrefix(Self.status) && !$0.hasPrefix(Self.example) }
    }

    private static let usage = "usage: "
    private static let status = "Exit status: "
    private static let example = "Example: "

    /// Returns the page of a program.
    ///
    /// - Parameters:
    ///   - name: The program's name.
    ///   - section: The section of the manual, 1 to 8.
    ///   - date: The date, such as `2026-11-23`, or empty.
    /// - Returns: The page, with the indented lines as its options.
    func page(_ name: String, section: Int, date: String) -> ManualPage {
        var roff = RoffText(name, section: section, date: date, source: ManualPage.source)
        roff.section("NAME")
        roff.line("\(name) - \(summary)")
        roff.section("SYNOPSIS")
        roff.literal(synopsis)
        let parts = ManualText.parts(of: body, indentation: 2)
        roff.section("DESCRIPTION")
        roff.append(parts.filter { !$0.isEntry })
        roff.section("OPTIONS")
        roff.append(parts.filter(\.isEntry))
        if !exitStatus.isEmpty {
            roff.section("EXIT STATUS")
            for line in exitStatus { roff.line(line) }
        }
        if !examples.isEmpty {
            roff.section("EXAMPLES")
            roff.literal(examples)
        }
        roff.section("SEE ALSO")
        roff.line("\(Invocation.programName)(1)")
        return ManualPage(name: name, section: section, text: roff.text)
    }

    /// The first sentence, which `apropos` shows.
    private var summary: String {
        let text = body.drop(while: \.isEmpty).prefix { !$0.isEmpty }.joined(separator: " ")
        let ends = text.indices.first { index in
            let next = text.index(after: index)
            return ".:".contains(text[index]) && (next == text.endIndex || text[next] == " ")
        }
        let plain = text[..<(ends ?? text.endIndex)]
        return plain.prefix(1).lowercased() + plain.dropFirst()
    }
}

extension ManualText {
    /// Whether the part is an entry of a list.
    fileprivate var isEntry: Bool {
        if case .entry = self { true } else { false }
    }
}
