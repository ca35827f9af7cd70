import Foundation

/// The ledger of a checkout: its rows, its tests' claims, and the pages written from them.
package struct Ledger {
    private static let command = "swift run conformance-ledger write"
    private static let pagePath = "Documentation/Conformance.md"
    private static let readmePath = "README.md"
    private static let opening = "<!-- conformance -->"
    private static let closing = "<!-- /conformance -->"

    private let root: URL
    private let page: ConformancePage
    private let table: RequirementTable
    /// Every claim that a test makes, by file and line.
    package let claims: [TestClaim]
    /// What is wrong with the way the tests name their ids.
    package let claimProblems: [LedgerProblem]

    /// Reads the rows and scans the tests of the checkout at `root`.
    ///
    /// - Throws: `LedgerProblem` when the rows are missing or malformed.
    package init(root: URL) throws(LedgerProblem) {
        self.root = root
        let folder = "Documentation/Conformance/"
        table = try RequirementTable(
            areas: Self.text(of: folder + "areas.tsv", in: root),
            rows: Self.text(of: folder + "requirements.tsv", in: root)
        )
        (claims, claimProblems) = try Self.scan(root)
        page = ConformancePage(table: table, claims: claims)
    }

    /// Such as `12 of 482 rows proven`.
    package var count: String { page.count }

    /// Writes the page, and the count into the README's marker.
    ///
    /// - Throws: `LedgerProblem` when a file cannot be written.
    package func write() throws(LedgerProblem) {
        try write(page.markdown, to: Self.pagePath)
        guard let readme = try? Self.text(of: Self.readmePath, in: root),
            let range = Self.markedRange(in: readme)
        else { return }
        try write(readme.replacingCharacters(in: range, with: count), to: Self.readmePath)
    }

    /// What keeps the written pages from agreeing with the rows and the tests; empty when in step.
    package func check() -> [LedgerProblem] {
        claimProblems + unknownIds() + pageProblems() + readmeProblems()
    }

    /// The claims whose tests did not run, or did not pass, in a run of the tests.
    package func unproven(by results: TestResults) -> [LedgerProblem] {
        claims.compactMap { claim in
            let outcome = results.outcome(of: claim)
            guard outcome != .passed else { return nil }
            let ids = claim.ids.joined(separator: ", ")
            let state = outcome?.rawValue ?? "not run"
            return LedgerProblem(
                "Tests/\(claim.file):\(claim.line)",
                "\(ids) rests on \"\(claim.sentence)\", which was \(state)"
            )
        }
    }

    private func unknownIds() -> [LedgerProblem] {
        let known = Set(table.rows.map(\.id))
        return claims.flatMap { claim in
            claim.ids.filter { !known.contains($0) }.map {
                LedgerProblem(
                    "Tests/\(claim.file):\(claim.line)",
                    "\"\($0)\" is no row of Documentation/Conformance/requirements.tsv"
                )
            }
        }
    }

    private func pageProblems() -> [LedgerProblem] {
        let written = (try? Self.text(of: Self.pagePath, in: root)) ?? ""
        guard written != page.markdown else { return [] }
        let old = written.split(separator: "\n", omittingEmptySubsequences: false)
        let new = page.markdown.split(separator: "\n", omittingEmptySubsequences: false)
        let common = zip(old, new).prefix { $0 == $1 }.count
        let wanted = new.indices.contains(common) ? new[common] : "(the end of the file)"
        return [
            LedgerProblem(
                "\(Self.pagePath):\(common + 1)",
                "out of date, should read: \(wanted)\n    run `\(Self.command)` and commit the page"
            )
        ]
    }

    private func readmeProblems() -> [LedgerProblem] {
        guard let readme = try? Self.text(of: Self.readmePath, in: root) else { return [] }
        guard let range = Self.markedRange(in: readme) else {
            let marker = "\(Self.opening)…\(Self.closing)"
            return [LedgerProblem(Self.readmePath, "the marker \(marker) is missing")]
        }
        guard readme[range] != count else { return [] }
        return [
            LedgerProblem(
                Self.readmePath,
                "says \"\(readme[range])\", the tests say \"\(count)\": run `\(Self.command)`"
            )
        ]
    }
}

// MARK: - Files

extension Ledger {
    private static func scan(
        _ root: URL
    ) throws(LedgerProblem) -> (claims: [TestClaim], problems: [LedgerProblem]) {
        var claims: [TestClaim] = []
        var problems: [LedgerProblem] = []
        let tests = root.appending(path: "Tests")
        for file in FileManager.default.swiftFiles(below: tests) {
            let found = TestScanner.scan(try text(of: file, in: tests), file: file)
            claims += found.claims
            problems += found.problems
        }
        return (claims, problems)
    }

    private static func text(of path: String, in root: URL) throws(LedgerProblem) -> String {
        do {
            return try String(contentsOf: root.appending(path: path), encoding: .utf8)
        } catch {
            throw LedgerProblem(path, "cannot be read as UTF-8 text")
        }
    }

    private func write(_ text: String, to path: String) throws(LedgerProblem) {
        do {
            try Data(text.utf8).write(to: root.appending(path: path), options: .atomic)
        } catch {
            throw LedgerProblem(path, "cannot be written: \(error.localizedDescription)")
        }
    }

    private static func markedRange(in readme: String) -> Range<String.Index>? {
        guard let start = readme.range(of: opening)?.upperBound,
            let end = readme.range(of: closing, range: start..<readme.endIndex)?.lowerBound
        else { return nil }
        return start..<end
    }
}
