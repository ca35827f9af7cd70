import KeychainModel

/// Writes `Documentation/Diagnostics.md` from the table of the diagnostic rules.
struct DiagnosticsPage {
    private let contradictions: Set<String>

    /// Makes a page that links to the contradictions of a table.
    init(contradictions: ContradictionTable) {
        self.contradictions = contradictions.ids
    }

    /// The page.
    var markdown: String {
        """
        # Diagnostics

        A finding is a note about one call: the rule that the call met, and what other profiles do.
        In a test, read the findings with `SimulatedDevice.findings`. Set
        `KEYCHAIN_DIAGNOSTICS=1` to print every finding on standard error. A finding names classes
        and attributes, never values.

        If Apple's guides and Apple's source differ, the rule's name links to both answers.
        [Contradictions.md](Contradictions.md#documents) lists the documents of the last column.
        [Linting.md](Linting.md) has the rules of the linter, which finds the same mistakes in
        source: `Finding.lintRules` names them.
        `swift run conformance-ledger write` makes this page from the table in
        `Sources/KeychainModel/Diagnostics`; do not edit it by hand.

        \(table)

        """
    }

    private var table: String {
        let head = MarkdownTable.head(
            "Rule",
            "What the finding says",
            "When it appears",
            "What to do",
            "Where profiles differ",
            "Rule of the linter",
            "Source"
        )
        return (head + DiagnosticRule.allCases.map(line)).joined(separator: "\n")
    }

    private func line(_ rule: DiagnosticRule) -> String {
        let id = rule.rawValue
        let name = "`\(id)`"
        let link = contradictions.contains(id) ? "[\(name)](Contradictions.md#\(id))" : name
        let texts = [
            rule.sentence, rule.occasion, rule.advice, rule.outcomes ?? "",
            rule.lintRules.joined(separator: ", "), rule.source,
        ]
        return MarkdownTable.row([link] + texts.map(MarkdownTable.cell))
    }
}
