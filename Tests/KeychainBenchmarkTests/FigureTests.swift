import Foundation
import Testing

@testable import keychain_benchmark

@Suite struct `A figure of a benchmark` {
    private static let find = Figure(
        "find",
        itemCount: 1000,
        value: 10,
        unit: .microseconds,
        floor: 4,
        target: .atMost(2)
    )
    private static let threads = Figure("threads", value: 1.8, unit: .times, target: .atLeast(1.7))

    @Test func `has the ratio to its floor unless it was measured in pairs`() {
        #expect(Self.find.ratio == 2.5)
        #expect(Figure("x", value: 1, unit: .times, floor: 2, ratio: 7).ratio == 7)
        #expect(Self.threads.ratio == nil)
    }

    @Test func `meets its target or does not`() {
        #expect(Self.find.isMet == false)
        #expect(Self.threads.isMet == true)
        #expect(Figure("x", value: 1, unit: .times).isMet == nil)
        #expect(Figure("x", value: 1, unit: .times, target: .atMost(2)).isMet == nil)
    }

    @Test func `stands in a table beside floor, ratio and target`() {
        let lines = FigureTable.text([Self.find, Self.threads]).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[2].contains("| 1,000 | 10.0 µs | 4.00 µs |  2.50 | ≤ 2.00 × | not met |"))
        #expect(lines[3].contains("|  1.80 × |         |       | ≥ 1.70 × | met     |"))
    }

    @Test func `is named when it falls short`() {
        let short = FigureTable.summary([Self.find, Self.threads])
        #expect(short == "The keychain misses 1 of 2 targets:\n\n- find at 1,000 items")
        #expect(FigureTable.summary([Self.threads]) == "The keychain meets every target (1).")
    }

    @Test(arguments: [(7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
    func `has its digits in groups`(number: Int, text: String) {
        #expect(FigureTable.grouped(number) == text)
    }

    @Test func `survives JSON in one line`() throws {
        let report = FigureReport(
            startedAt: 1,
            processorCount: 2,
            figures: [Self.find, Self.threads]
        )
        let text = try report.json()
        #expect(!text.contains("\n"))
        #expect(try JSONDecoder().decode(FigureReport.self, from: Data(text.utf8)) == report)
        #expect(!report.isMet)
    }
}

@Suite struct `A section that a program writes` {
    @Test func `replaces what stands between its marks alone`() {
        let page = "before\n<!-- table -->\nold\n<!-- /table -->\nafter\n"
        #expect(
            MarkedSection.replacing("table", in: page, with: "new")
                == "before\n<!-- table -->\nnew\n<!-- /table -->\nafter\n"
        )
    }

    @Test(arguments: [
        "none", "<!-- table -->", "<!-- /table --> <!-- table -->",
        "<!-- table --><!-- /table --><!-- table --><!-- /table -->",
    ])
    func `is not guessed where the marks are missing or doubled`(page: String) {
        #expect(MarkedSection.replacing("table", in: page, with: "new") == nil)
    }
}
