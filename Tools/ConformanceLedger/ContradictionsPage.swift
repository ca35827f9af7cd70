/// Writes `Documentation/Contradictions.md` from the rows, the documents and the claims.
struct ContradictionsPage {
    private let table: ContradictionTable
    private let sources: SourceTable
    private let proofs: [String: [TestClaim]]

    /// Makes a page of the rows of a table and the tests that claim them.
    init(table: ContradictionTable, sources: SourceTable, claims: [TestClaim]) {
        self.table = table
        self.sources = sources
        proofs = claims.byId
    }

    /// The page.
    var markdown: String {
        [introduction, contradictions, documents].joined(separator: "\n\n") + "\n"
    }

    private var introduction: String {
        """
        # Contradictions

        In some places, the documents about Apple's keychain contradict Apple's published source, or
        one another. This page lists every such place that we know. It states who says what, what
        this keychain does and why, and how you choose another answer.

        - A simulated device follows the documents where they agree (`BehaviorProfile.documented`).
          Make it with `SimulatedDevice(behavior: .appleSource)` to follow Apple's source.
        - This machine's keychain follows Apple's source. Set `KEYCHAIN_BEHAVIOR=documented` to
          follow the documents.
        - A switch is a field of `BehaviorProfile`. Set it on a copy of either profile, and make the
          device with that copy.

        Numbers below zero are statuses; 0 is success. Each row names the tests that show its
        answers. `swift run conformance-ledger write` makes this page from
        [contradictions.tsv](Conformance/contradictions.tsv),
        [sources.tsv](Conformance/sources.tsv) and the `.contradiction("…")` traits in `Tests`; do
        not edit it by hand.
        """
    }

    private var contradictions: String {
        let head = MarkdownTable.head(
            "Id",
            "Question",
            "What the documents say",
            "What Apple's source does",
            "A simulated device",
            "This machine",
            "Why",
            "Switch",
            "Tests"
        )
        return (head + table.rows.map(line)).joined(separator: "\n")
    }

    private func line(_ row: Contradiction) -> String {
        let texts = [
            row.topic, row.documents, row.appleSource, row.simulatedDevice, row.thisMachine,
            row.reason,
        ]
        let choice = row.choice.isEmpty ? "" : "`\(row.choice)`"
        let id = "<a id=\"\(row.id)\"></a>`\(row.id)`"
        let cells = [id] + texts.map(MarkdownTable.cell) + [choice, tests(row)]
        return MarkdownTable.row(cells)
    }

    private func tests(_ row: Contradiction) -> String {
        proofs[row.id]?.map(\.markdown).joined(separator: "<br>") ?? "not yet"
    }

    private var documents: String {
        let head = MarkdownTable.head("Name", "Title", "Author", "Where")
        let rows = sources.rows.map { row in
            MarkdownTable.row([row.name, row.title, row.author, row.place].map(MarkdownTable.cell))
        }
        let introduction = """
            ## Documents

            The names above, and in the [conformance page](Conformance.md), stand for these
            documents.

            """
        return ([introduction] + head + rows).joined(separator: "\n")
    }
}
