/// The names of Apple's platforms that this package lacks, with the replacements for them.
struct AppleNamesTable: Equatable, Sendable {
    /// Some names with the same answer.
    struct Row: Equatable, Sendable {
        /// The framework with these names.
        let framework: String
        /// The names, as code spells them.
        let names: [String]
        /// The replacement, in one or more sentences.
        let instead: String
    }

    /// The file below the repository's root.
    static let path = "Documentation/AppleNames.tsv"
    /// The first line of the file.
    static let header = "framework\tnames\tinstead"

    /// The rows, in the order of the file.
    let rows: [Row]

    /// Reads the text of the file.
    ///
    /// - Throws: `LedgerProblem` with the line, for a wrong header, an empty field, a repeated
    ///   name, and an answer that is not a sentence.
    init(_ text: String) throws(LedgerProblem) {
        var rows: [Row] = []
        var known: Set<String> = []
        for record in try TabSeparatedText(text, header: Self.header, file: Self.path).records {
            let fields = record.fields
            let names = fields[1].split(separator: " ").map(String.init)
            guard !fields[0].isEmpty, !names.isEmpty, fields[2].hasSuffix(".") else {
                throw LedgerProblem(record.place, "a row needs a framework, names and a sentence")
            }
            for name in names {
                guard known.insert(name).inserted else {
                    throw LedgerProblem(record.place, "\(name) is there twice")
                }
            }
            rows.append(Row(framework: fields[0], names: names, instead: fields[2]))
        }
        self.rows = rows
    }
}

/// Writes `Documentation/AppleNames.md` from the table.
struct AppleNamesPage {
    private let table: AppleNamesTable

    /// Makes a page of the rows of a table.
    init(table: AppleNamesTable) { self.table = table }

    /// The page.
    var markdown: String { ([introduction] + sections).joined(separator: "\n\n") + "\n" }

    private var introduction: String {
        """
        # What Apple has and this has not

        Code for Apple's platforms compiles here with the modules of this package. These public
        names do not exist, and this is what to use instead. [Shims.md](Shims.md) lists the modules,
        and [Command.md](Command.md#macoss-other-commands) the commands of macOS's `security` that
        do nothing here.

        If the compiler does not find `OSStatus`, `CFString` or another name that is not in these
        tables, the file imports Foundation only: on Linux, it must also import Security
        ([Shims.md](Shims.md#a-file-that-imports-foundation-only)).

        `swift run conformance-ledger write AppleNames` makes this page from
        [AppleNames.tsv](AppleNames.tsv); do not edit it by hand. A test checks that none of the
        names exists.
        """
    }

    private var sections: [String] {
        let frameworks = table.rows.map(\.framework).reduce(into: [String]()) { done, name in
            if !done.contains(name) { done.append(name) }
        }
        return frameworks.map { framework in
            let rows = table.rows.filter { $0.framework == framework }.map { row in
                let names = row.names.map { "`\($0)`" }.joined(separator: ", ")
                return MarkdownTable.row([names, MarkdownTable.cell(row.instead)])
            }
            let head = MarkdownTable.head("Apple's names", "Instead")
            return "## \(framework)\n\n" + (head + rows).joined(separator: "\n")
        }
    }
}
