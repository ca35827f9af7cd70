import Testing

@testable import conformance_ledger

@Suite struct `Reading the rows` {
    private static let areas = "\(RequirementTable.areaHeader)\nQRY\tQueries\n"

    private func table(_ rows: String) throws -> RequirementTable {
        try RequirementTable(areas: Self.areas, rows: "\(RequirementTable.rowHeader)\n\(rows)")
    }

    @Test func `a row keeps its columns`() throws {
        let row = try #require(try table("QRY-01\tguide\tSays\tSource\t-50\t0\tDo\n").rows.first)
        #expect(row.area == "QRY")
        #expect(row.origin == .guide)
        #expect([row.documented, row.appleSource, row.check] == ["-50", "0", "Do"])
    }

    @Test(arguments: [
        "QRY-01\tguide\tSays\tSource\t\t",
        "QRY-01\tnobody\tSays\tSource\t\t\tDo",
        "QRY-01\tguide\t\tSource\t\t\tDo",
        "QRY-01\tguide\tSays\t\t\t\tDo",
        "QRY-01\tguide\tSays\tSource\t-50\t\tDo",
        "QRY-01\tguide\tSays\tSource\t\t\t",
        "ZZZ-01\tguide\tSays\tSource\t\t\tDo",
    ])
    func `a malformed row is refused with its line`(row: String) {
        let problem = #expect(throws: LedgerProblem.self) { try table(row) }
        #expect(problem?.place == "requirements.tsv:2")
    }

    @Test func `an id that comes twice is refused`() {
        let row = "QRY-01\tguide\tSays\tSource\t\t\tDo\n"
        let problem = #expect(throws: LedgerProblem.self) { try table(row + row) }
        #expect(problem?.place == "requirements.tsv:3")
    }

    @Test(arguments: ["", "id\n", "\n"])
    func `a file without its header is refused`(text: String) {
        #expect(throws: LedgerProblem.self) {
            try RequirementTable(areas: Self.areas, rows: text)
        }
    }
}
