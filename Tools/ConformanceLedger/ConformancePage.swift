/// Writes `Documentation/Conformance.md` from the rows and the claims.
struct ConformancePage {
    private let table: RequirementTable
    private let proofs: [String: [TestClaim]]
    private let run: ProvenRun

    /// Makes a page of the rows of a table, the tests that claim them, and a run of these tests.
    init(table: RequirementTable, claims: [TestClaim], run: ProvenRun) {
        self.table = table
        self.run = run
        proofs = claims.byId
    }

    /// The number of rows that the run proved.
    var provenCount: Int { table.rows.count(where: isProven) }

    private func isProven(_ row: Requirement) -> Bool { run.caseCounts[row.id] != nil }

    /// The sentence that README and page contain.
    var count: String { "\(provenCount) of \(table.rows.count) rows proven" }

    /// The page.
    var markdown: String {
        ([introduction, summary] + table.areas.map(section)).joined(separator: "\n\n") + "\n"
    }

    private var introduction: String {
        """
        # Conformance

        This page lists every promise of this keychain, its source, and the tests that prove it.
        **\(count)**.

        Proven by this run: \(run.description).

        A row is proven if tests claim it and each of them passed in that run: at the first try,
        with at least one case, without an expected failure. A test that was skipped or ran again
        proves nothing. [run.tsv](Conformance/run.tsv) has the number of cases for each row.
        `Scripts/test.sh` fails if a later run proves less, or tries a row with fewer cases.

        `conformance-ledger write` generates this page from that file, from
        [requirements.tsv](Conformance/requirements.tsv) and from the `.requirement("…")` traits in
        `Tests` and in the linter's tests. Do not edit it by hand. `Scripts/test.sh --write` runs
        all tests and writes the page from their results.

        `Scripts/test.sh` runs `Tests/ConformanceTests` with an embedded keychain and through a
        system daemon, and with `--all` through a user daemon, too. No test is left out of a run,
        and none expects another outcome.

        The column Check states what the tests do, and what they expect. Negative numbers are
        status codes; 0 is success.

        The column Source names the guides that describe the system. **(related)** marks a document
        related to them. **(source)** marks a row that only Apple's published headers and source
        support. **(Linux)** marks a row that no document states and that Linux needs.

        If the documents and Apple's source differ, the row names both outcomes. A simulated device
        follows the guides if they agree with one another, and Apple's source otherwise. You can
        choose another behavior when you create the device. This machine's keychain follows Apple's
        source. [Contradictions.md](Contradictions.md) lists these places, and the documents by
        title and author.
        """
    }

    private var summary: String {
        var lines = ["| Area | Subject | Rows | Proven | Not yet |", "|---|---|--:|--:|--:|"]
        for area in table.areas {
            let rows = table.rows.filter { $0.area == area.code }
            let proven = rows.count(where: isProven)
            let left = rows.count - proven
            let link = "[\(area.code)](#\(area.code.lowercased()))"
            lines.append("| \(link) | \(area.subject) | \(rows.count) | \(proven) | \(left) |")
        }
        let left = table.rows.count - provenCount
        lines.append("| **All** | | **\(table.rows.count)** | **\(provenCount)** | **\(left)** |")
        return lines.joined(separator: "\n")
    }

    private func section(_ area: RequirementTable.Area) -> String {
        let heading = """
            ## \(area.code)

            \(area.subject).

            | Id | Statement | Source | Outcome where they differ | Check | Tests |
            |---|---|---|---|---|---|
            """
        let rows = table.rows.filter { $0.area == area.code }.map(line)
        return ([heading] + rows).joined(separator: "\n")
    }

    private func line(_ row: Requirement) -> String {
        let cells = [
            row.id, MarkdownTable.cell(row.statement),
            MarkdownTable.cell(row.source) + Self.mark(row.origin),
            Self.outcome(row), MarkdownTable.cell(row.check), tests(row),
        ]
        return MarkdownTable.row(cells)
    }

    private func tests(_ row: Requirement) -> String {
        guard let claims = proofs[row.id] else { return "not yet" }
        let start = isProven(row) ? "" : "claimed, and not proven by the run:<br>"
        return start + claims.map(\.markdown).joined(separator: "<br>")
    }

    private static func outcome(_ row: Requirement) -> String {
        guard !row.documented.isEmpty else { return "" }
        let answers = [
            "documented: " + MarkdownTable.cell(row.documented),
            "Apple source: " + MarkdownTable.cell(row.appleSource),
        ]
        return answers.joined(separator: "<br>")
    }

    private static func mark(_ origin: Requirement.Origin) -> String {
        switch origin {
        case .guide: ""
        case .related: " (related)"
        case .source: " (source)"
        case .linux: " (Linux)"
        }
    }
}
