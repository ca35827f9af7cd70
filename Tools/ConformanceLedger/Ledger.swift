import Foundation
import KeychainModel

/// The ledger of a checkout: its rows, its tests' claims, and the pages made from them.
struct Ledger: Sendable {
    /// A generated page.
    enum Page: String, CaseIterable, Sendable {
        case conformance = "Conformance"
        case contradictions = "Contradictions"
        case diagnostics = "Diagnostics"
        case appleNames = "AppleNames"

        var path: String { "Documentation/\(rawValue).md" }
    }

    private static let command = "swift run conformance-ledger write"
    private static let readmePath = "README.md"
    private static let opening = "<!-- conformance -->"
    private static let closing = "<!-- /conformance -->"

    private let root: URL
    private let page: ConformancePage
    private let pages: [(page: Page, markdown: String)]
    /// The names of Apple's platforms that this package lacks.
    let appleNames: [String]
    /// The requirements.
    let table: RequirementTable
    /// The questions on which documents and source disagree.
    let contradictions: ContradictionTable
    /// The documents that both tables cite.
    let sources: SourceTable
    /// Every claim that a test makes, by file and line.
    let claims: [TestClaim]
    /// The problems in the way that tests state their ids.
    let claimProblems: [LedgerProblem]
    /// The run on which the pages are based.
    let run: ProvenRun

    /// Reads the rows and scans the tests of the checkout at `root`.
    ///
    /// - Parameters:
    ///   - root: The directory of the checkout.
    ///   - run: The run on which the pages are based; nil for the one in `run.tsv`, if there is
    ///     one.
    /// - Throws: `LedgerProblem` when the rows are missing or malformed.
    init(root: URL, run: ProvenRun? = nil) throws(LedgerProblem) {
        self.root = root
        let folder = "Documentation/Conformance/"
        table = try RequirementTable(
            areas: Self.text(of: folder + "areas.tsv", in: root),
            rows: Self.text(of: folder + "requirements.tsv", in: root)
        )
        contradictions = try ContradictionTable(Self.text(of: ContradictionTable.path, in: root))
        sources = try SourceTable(Self.text(of: SourceTable.path, in: root))
        (claims, claimProblems) = try Self.scan(root)
        if let run { self.run = run } else { self.run = try Self.writtenRun(in: root) }
        page = ConformancePage(table: table, claims: claims, run: self.run)
        let disputes = ContradictionsPage(table: contradictions, sources: sources, claims: claims)
        let names = try AppleNamesTable(Self.text(of: AppleNamesTable.path, in: root))
        appleNames = names.rows.flatMap(\.names)
        pages = [
            (.conformance, page.markdown),
            (.contradictions, disputes.markdown),
            (.diagnostics, DiagnosticsPage(contradictions: contradictions).markdown),
            (.appleNames, AppleNamesPage(table: names).markdown),
        ]
    }

    /// The count in words, such as `12 of 482 rows proven`.
    var count: String { page.count }

    /// Writes pages and, with the conformance page, the count into the README's marker.
    ///
    /// - Throws: `LedgerProblem` when a file cannot be written.
    func write(_ wanted: [Page] = Page.allCases) throws(LedgerProblem) {
        for (page, markdown) in pages where wanted.contains(page) {
            try write(markdown, to: page.path)
        }
        guard wanted.contains(.conformance),
            let readme = try? Self.text(of: Self.readmePath, in: root),
            let range = Self.markedRange(in: readme)
        else { return }
        try write(readme.replacingCharacters(in: range, with: count), to: Self.readmePath)
    }

    /// Returns the differences between the written pages, the rows and the tests; empty if there
    /// are none.
    func check() -> [LedgerProblem] {
        claimProblems + unknownIds() + contradictionProblems() + sourceProblems() + runProblems()
            + pages.flatMap(problems) + readmeProblems()
    }

    /// Writes the run on which the pages are based.
    ///
    /// - Throws: `LedgerProblem` when the file cannot be written.
    func writeRun() throws(LedgerProblem) { try write(run.text, to: ProvenRun.path) }

    /// Returns a problem for each row of the run that no test claims any more.
    private func runProblems() -> [LedgerProblem] {
        let claimed = Set(claims.flatMap(\.ids))
        return run.caseCounts.keys.filter { !claimed.contains($0) }.sorted().map {
            LedgerProblem(ProvenRun.path, "no test claims \($0) any more")
        }
    }

    private func unknownIds() -> [LedgerProblem] {
        let known = Set(table.rows.map(\.id)).union(contradictions.ids)
        return claims.flatMap { claim in
            claim.ids.filter { !known.contains($0) }.map {
                LedgerProblem(
                    claim.place,
                    "\"\($0)\" is no row of the tables in Documentation/Conformance"
                )
            }
        }
    }

    private func contradictionProblems() -> [LedgerProblem] {
        let requirements = Set(table.rows.map(\.id))
        let claimed = Set(claims.flatMap(\.ids))
        return contradictions.rows.flatMap { row in
            let unknown = row.requirements.filter { !requirements.contains($0) }.map {
                "\(row.id) names \($0), which is no row of requirements.tsv"
            }
            let unproven = claimed.contains(row.id) ? [] : ["no test shows \(row.id)"]
            return (unknown + unproven).map { LedgerProblem(ContradictionTable.path, $0) }
        }
    }

    private func sourceProblems() -> [LedgerProblem] {
        let requirements = table.rows.map { ($0.id, $0.source) }
        let rules = DiagnosticRule.allCases.map { ($0.rawValue, $0.source) }
        return (requirements + rules).flatMap { id, citation in
            sources.unknown(in: citation).map {
                LedgerProblem(SourceTable.path, "\(id) cites \"\($0)\", which has no row")
            }
        }
    }

    private func problems(_ page: Page, _ markdown: String) -> [LedgerProblem] {
        let written = (try? Self.text(of: page.path, in: root)) ?? ""
        guard written != markdown else { return [] }
        let old = written.split(separator: "\n", omittingEmptySubsequences: false)
        let new = markdown.split(separator: "\n", omittingEmptySubsequences: false)
        let common = zip(old, new).prefix { $0 == $1 }.count
        let wanted = new.indices.contains(common) ? new[common] : "(the end of the file)"
        return [
            LedgerProblem(
                "\(page.path):\(common + 1)",
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
        for folder in TestClaim.folders {
            let tests = root.appending(path: folder)
            for file in FileManager.default.swiftFiles(below: tests) {
                let source = try text(of: file, in: tests)
                let found = TestScanner.scan(source, file: file, folder: folder)
                claims += found.claims
                problems += found.problems
            }
        }
        return (claims, problems)
    }

    /// Returns the run in `run.tsv`, or an empty one if there is no such file.
    private static func writtenRun(in root: URL) throws(LedgerProblem) -> ProvenRun {
        guard let text = try? text(of: ProvenRun.path, in: root) else { return .none }
        return try ProvenRun(text)
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
