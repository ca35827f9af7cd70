import Foundation
import KeychainModel
import TestSupport
import Testing

@testable import conformance_ledger

/// A checkout of a few files in a folder of its own.
private struct Checkout: ~Copyable {
    let root = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID())")

    init(test: String) throws {
        try put(
            "\(RequirementTable.areaHeader)\nQRY\tQueries\n",
            at: "Documentation/Conformance/areas.tsv"
        )
        let rows = """
            QRY-01\tguide\tSays a | b\tSource\t\t\tDo < or
            QRY-02\tlinux\tMore\tSource\t-50\t0\tDo less

            """
        try put(
            "\(RequirementTable.rowHeader)\n\(rows)",
            at: "Documentation/Conformance/requirements.tsv"
        )
        let dispute = "one-two\tWho\tA: 1\t2\t1\t2\tSo\tfield\tQRY-01"
        try put("\(ContradictionTable.header)\n\(dispute)\n", at: ContradictionTable.path)
        let sources = ["Source", "Keychain", "Item", "Migration", "Biometric", "Apple", "Linux"]
        let documents = sources.map { "\($0)\tA title\tAn author\tA place\n" }.joined()
        try put("\(SourceTable.header)\n\(documents)", at: SourceTable.path)
        let names = "Security\tSecOld SecOlder\tUse `SecNew`."
        try put("\(AppleNamesTable.header)\n\(names)\n", at: AppleNamesTable.path)
        try put("<!-- conformance -->?<!-- /conformance -->\n", at: "README.md")
        try put("\(ProvenRun.header)\nrun\tcommit abc\nQRY-01\t3\n", at: ProvenRun.path)
        try put(test, at: "Tests/T/F.swift")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func put(_ text: String, at path: String) throws {
        let file = root.appending(path: path)
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func text(at path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

@Suite struct `Keeping the ledger` {
    private static let test = """
        @Test(.requirement("QRY-01"), .contradiction("one-two")) func `it holds`() {}
        """

    @Test func `pages are in step once they are written`() throws {
        let checkout = try Checkout(test: Self.test)
        let before = try Ledger(root: checkout.root).check()
        let pages = ["Conformance", "Contradictions", "Diagnostics", "AppleNames"]
        #expect(before.map(\.place) == pages.map { "Documentation/\($0).md:1" } + ["README.md"])
        try Ledger(root: checkout.root).write()
        #expect(try Ledger(root: checkout.root).check().isEmpty)
        let readme = try checkout.text(at: "README.md")
        #expect(readme == "<!-- conformance -->1 of 2 rows proven<!-- /conformance -->\n")
    }

    @Test func `the page names statement, source, both outcomes, check and tests`() throws {
        let checkout = try Checkout(test: Self.test)
        try Ledger(root: checkout.root).write()
        let page = try checkout.text(at: "Documentation/Conformance.md")
        #expect(page.contains("Proven by this run: commit abc."))
        let proven = "| QRY-01 | Says a \\| b | Source |  | Do &lt; or | `T/F.swift`: it holds |"
        #expect(page.contains(proven))
        let open = "Source (Linux) | documented: -50<br>Apple source: 0 | Do less | not yet |"
        #expect(page.contains(open))
    }

    @Test func `the linter's tests prove rows like those of the package`() throws {
        let checkout = try Checkout(test: Self.test)
        let claim = "@Test(.requirement(\"QRY-02\")) func f() {}"
        try checkout.put(claim, at: "Tools/KeychainLint/Tests/L/G.swift")
        try Ledger(root: checkout.root).write()
        let page = try checkout.text(at: "Documentation/Conformance.md")
        let claimed =
            "claimed, and not proven by the run:<br>`Tools/KeychainLint/Tests/L/G.swift`: f"
        #expect(page.contains("| Do less | \(claimed) |"))
        let package = EventStream.of("T.`it holds`()/F.swift:1:2", .pass)
        let linter = EventStream.of("L.f()/G.swift:1:2", .pass)
        let ledger = try Ledger(root: checkout.root)
        let both = RunJudgement(
            claims: ledger.claims,
            results: try TestResults(events: [package, linter])
        )
        #expect(both.weaknesses.isEmpty && Set(both.caseCounts.keys).contains("QRY-02"))
        let one = RunJudgement(claims: ledger.claims, results: try TestResults(events: package))
        #expect(one.weaknesses.map(\.place) == ["Tools/KeychainLint/Tests/L/G.swift:1"])
    }

    @Test(.requirement("RLS-04")) func `the page counts what a run proved, not what tests claim`()
        throws
    {
        let checkout = try Checkout(test: Self.test)
        try checkout.put("\(ProvenRun.header)\nrun\tnone\n", at: ProvenRun.path)
        try Ledger(root: checkout.root).write()
        let readme = try checkout.text(at: "README.md")
        #expect(readme == "<!-- conformance -->0 of 2 rows proven<!-- /conformance -->\n")
        #expect(try Ledger(root: checkout.root).check().isEmpty)
    }

    @Test func `a row of the run that no test claims is a problem`() throws {
        let checkout = try Checkout(test: Self.test)
        try checkout.put("\(ProvenRun.header)\nrun\tx\nQRY-02\t1\n", at: ProvenRun.path)
        try Ledger(root: checkout.root).write()
        #expect(try Ledger(root: checkout.root).check().map(\.place) == [ProvenRun.path])
    }

    @Test(arguments: [".requirement(\"QRY-99\")", ".contradiction(\"two-one\")"])
    func `an unknown id is a problem at its test`(trait: String) throws {
        let checkout = try Checkout(test: "\(Self.test)\n@Test(\(trait)) func f() {}")
        try Ledger(root: checkout.root).write()
        #expect(try Ledger(root: checkout.root).check().map(\.place) == ["Tests/T/F.swift:2"])
    }

    @Test(.requirement("DOC-05"))
    func `a contradiction without a test is a problem`() throws {
        let checkout = try Checkout(test: "@Test(.requirement(\"QRY-01\")) func f() {}")
        try Ledger(root: checkout.root).write()
        let problems = try Ledger(root: checkout.root).check()
        #expect(problems.map(\.place) == [ContradictionTable.path])
        #expect(problems.allSatisfy { $0.message == "no test shows one-two" })
    }

    @Test(.requirement("PKG-09"))
    func `a document without a title is a problem`() throws {
        let checkout = try Checkout(test: Self.test)
        try checkout.put("\(SourceTable.header)\n", at: SourceTable.path)
        try Ledger(root: checkout.root).write()
        let problems = try Ledger(root: checkout.root).check()
        #expect(problems.contains { $0.message == "QRY-01 cites \"Source\", which has no row" })
        #expect(problems.allSatisfy { $0.place == SourceTable.path })
    }

    @Test(.requirement("DOC-05"))
    func `the contradictions page names every answer, the switch and the tests`() throws {
        let checkout = try Checkout(test: Self.test)
        try Ledger(root: checkout.root).write([.contradictions])
        let page = try checkout.text(at: "Documentation/Contradictions.md")
        let answers = "`one-two` | Who | A: 1 | 2 | 1 | 2 | So | `field` | `T/F.swift`: it holds |"
        #expect(page.contains(answers))
        #expect(page.contains("| Source | A title | An author | A place |"))
        #expect(throws: (any Error).self) { try checkout.text(at: "Documentation/Conformance.md") }
    }

    @Test func `the page of Apple's names lists each with an answer, once`() throws {
        let checkout = try Checkout(test: Self.test)
        try Ledger(root: checkout.root).write([.appleNames])
        let page = try checkout.text(at: "Documentation/AppleNames.md")
        #expect(page.contains("## Security\n"))
        #expect(page.contains("| `SecOld`, `SecOlder` | Use `SecNew`. |"))
        #expect(throws: LedgerProblem.self) {
            try AppleNamesTable("\(AppleNamesTable.header)\nSecurity\tA A\tUse B.\n")
        }
        #expect(throws: LedgerProblem.self) {
            try AppleNamesTable("\(AppleNamesTable.header)\nSecurity\tA\tB\n")
        }
    }

    @Test(.requirement("PKG-09"), arguments: DiagnosticRule.allCases)
    func `the diagnostics page explains every rule`(rule: DiagnosticRule) throws {
        let checkout = try Checkout(test: Self.test)
        try Ledger(root: checkout.root).write([.diagnostics])
        let page = try checkout.text(at: "Documentation/Diagnostics.md")
        let line = page.split(separator: "\n").filter { $0.hasPrefix("| `\(rule.rawValue)` |") }
        #expect(line.count == 1)
        let texts = [rule.sentence, rule.occasion, rule.advice, rule.source].filter { !$0.isEmpty }
        #expect(line.allSatisfy { line in texts.allSatisfy { line.contains($0) } })
    }

    @Test func `missing rows are a problem, not a crash`() throws {
        let empty = FileManager.default.temporaryDirectory.appending(path: "absent-\(UUID())")
        #expect(throws: LedgerProblem.self) { try Ledger(root: empty) }
    }
}
