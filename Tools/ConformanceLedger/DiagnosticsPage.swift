import KeychainModel

/// Writes `Documentation/Diagnostics.md` from the table of the diagnostic rules.
struct DiagnosticsPage {
    private let contradictions: Set<String>

    /// A page that links to the contradictions with these ids.
    init(contradictions: ContradictionTable) {
        self.contradictions = contradictions.ids
    }

    /// The page.
    var markdown: String {
        """
        # Diagnostics

        A finding says what a call met: a rule, what happened, and what would happen elsewhere. Read
        findings in a test with `SimulatedDevice.findings`. Set `KEYCHAIN_DIAGNOSTICS=1` to have
        every finding printed on standard error. A finding names classes and attributes, never
        values.

        A rule's name links to the documents' and Apple's answers where they differ. The documents
        in the last column are listed in [Contradictions.md](Contradictions.md#documents).
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
            "Source"
        )
        return (head + DiagnosticRule.allCases.map(line)).joined(separator: "\n")
    }

    private func line(_ rule: DiagnosticRule) -> String {
        let id = rule.rawValue
        let name = "`\(id)`"
        let link = contradictions.contains(id) ? "[\(name)](Contradictions.md#\(id))" : name
        let texts = [
            rule.sentence, rule.occasion, rule.advice, rule.outcomes ?? "", rule.source,
        ]
        return MarkdownTable.row([link] + texts.map(MarkdownTable.cell))
    }
}
