import ConformanceLedgerCore
import Foundation
import Testing

/// A checkout of three files in a folder of its own.
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
        try put("<!-- conformance -->?<!-- /conformance -->\n", at: "README.md")
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
    private static let test = "@Test(.requirement(\"QRY-01\")) func `it holds`() {}"

    @Test func `pages are in step once they are written`() throws {
        let checkout = try Checkout(test: Self.test)
        let before = try Ledger(root: checkout.root).check()
        #expect(before.map(\.place) == ["Documentation/Conformance.md:1", "README.md"])
        try Ledger(root: checkout.root).write()
        #expect(try Ledger(root: checkout.root).check().isEmpty)
        let readme = try checkout.text(at: "README.md")
        #expect(readme == "<!-- conformance -->1 of 2 rows proven<!-- /conformance -->\n")
    }

    @Test func `the page names statement, source, both outcomes, check and tests`() throws {
        let checkout = try Checkout(test: Self.test)
        try Ledger(root: checkout.root).write()
        let page = try checkout.text(at: "Documentation/Conformance.md")
        let proven = "| QRY-01 | Says a \\| b | Source |  | Do &lt; or | `T/F.swift`: it holds |"
        #expect(page.contains(proven))
        let open = "Source (Linux) | documented: -50<br>Apple source: 0 | Do less | not yet |"
        #expect(page.contains(open))
    }

    @Test func `an unknown id is a problem at its test`() throws {
        let checkout = try Checkout(test: "@Test(.requirement(\"QRY-99\")) func f() {}")
        try Ledger(root: checkout.root).write()
        #expect(try Ledger(root: checkout.root).check().map(\.place) == ["Tests/T/F.swift:1"])
    }

    @Test(arguments: [
        ("<testcase classname=\"T\" name=\"`it holds`()\" time=\"0\" />", 0),
        ("<testcase classname=\"T\" name=\"`another`()\" time=\"0\" />", 1),
        ("<testcase classname=\"T\" name=\"`it holds`()\" >\n<skipped>\n</testcase>", 1),
        ("<testcase classname=\"T\" name=\"`it holds`()\" time=\"0\" >\n<failure>\n</testcase>", 1),
    ])
    func `a claim needs a test that ran and passed`(results: String, count: Int) throws {
        let checkout = try Checkout(test: Self.test)
        let unproven = try Ledger(root: checkout.root).unproven(by: TestResults(xunit: results))
        #expect(unproven.count == count)
    }

    @Test func `missing rows are a problem, not a crash`() throws {
        let empty = FileManager.default.temporaryDirectory.appending(path: "absent-\(UUID())")
        #expect(throws: LedgerProblem.self) { try Ledger(root: empty) }
    }
}
