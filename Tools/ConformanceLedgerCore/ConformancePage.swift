/// Writes `Documentation/Conformance.md` from the rows and the claims.
package struct ConformancePage {
    private let table: RequirementTable
    private let proofs: [String: [TestClaim]]

    /// A page about the rows of a table and the tests that claim them.
    package init(table: RequirementTable, claims: [TestClaim]) {
        self.table = table
        var proofs: [String: [TestClaim]] = [:]
        for claim in claims {
            for id in Set(claim.ids) { proofs[id, default: []].append(claim) }
        }
        self.proofs = proofs
    }

    /// The number of rows that at least one test claims.
    package var provenCount: Int { table.rows.count { proofs[$0.id] != nil } }

    /// The sentence that README and page share.
    package var count: String { "\(provenCount) of \(table.rows.count) rows proven" }

    /// The page.
    package var markdown: String {
        ([introduction, summary] + table.areas.map(section)).joined(separator: "\n\n") + "\n"
    }

    private var introduction: String {
        """
        # Conformance

        This page lists every promise of this keychain, its source, and the tests that prove it.
        **\(count)**.

        `swift run conformance-ledger write` generates this page from
        [requirements.tsv](Conformance/requirements.tsv) and from the `.requirement("…")` traits in
        `Tests`. Do not edit it by hand. `Scripts/test.sh` fails if the page is out of date, or if
        a row names a test that did not run and pass. A row is proven if at least one test claims
        it and every test that claims it passes.

        The column Check states what the tests do, and what they expect. Negative numbers are
        status codes; 0 is success.

        The column Source names the guides that describe the system. **(related)** marks a document
        related to them. **(source)** marks a row that only Apple's published headers and source
        support. **(Linux)** marks a row that no document states and that Linux needs.

        If the documents and Apple's source differ, the row names both outcomes. A simulated device
        follows the guides if they agree with one another, and Apple's source otherwise. You can
        choose another behavior when you create the device. This machine's keychain follows Apple's
        source.
        """
    }

    private var summary: String {
        var lines = ["| Area | Subject | Rows | Proven | Not yet |", "|---|---|--:|--:|--:|"]
        for area in table.areas {
            let rows = table.rows.filter { $0.area == area.code }
            let proven = rows.count { proofs[$0.id] != nil }
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
            row.id, Self.cell(row.statement), Self.cell(row.source) + Self.mark(row.origin),
            Self.outcome(row), Self.cell(row.check), tests(row),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private func tests(_ row: Requirement) -> String {
        guard let claims = proofs[row.id] else { return "not yet" }
        return claims.map { "`\($0.file)`: \(Self.cell($0.sentence))" }.joined(separator: "<br>")
    }

    private static func outcome(_ row: Requirement) -> String {
        guard !row.documented.isEmpty else { return "" }
        return "documented: \(cell(row.documented))<br>Apple source: \(cell(row.appleSource))"
    }

    private static func mark(_ origin: Requirement.Origin) -> String {
        switch origin {
        case .guide: ""
        case .related: " (related)"
        case .source: " (source)"
        case .linux: " (Linux)"
        }
    }

    /// Text that stays inside one cell of a table and is not taken for HTML.
    private static func cell(_ text: String) -> String {
        var result = ""
        var isCode = false
        for character in text {
            if character == "`" { isCode.toggle() }
            switch character {
            case "|": result += "\\|"
            case "<" where !isCode: result += "&lt;"
            default: result.append(character)
            }
        }
        return result
    }
}
