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
        let find = "| 1,000 | 10.0 µs | 4.00 µs |  2.50 |       | ≤ 2.00 × | not met |"
        #expect(lines[2].contains(find))
        #expect(lines[3].contains("|  1.80 × |         |       |       | ≥ 1.70 × | met     |"))
    }

    @Test func `of several runs is the median, with the range of the ratio or else of the value`() {
        let finds = [8.0, 30, 10].map {
            Figure("find", value: $0, unit: .microseconds, floor: 4, target: .atMost(2))
        }
        let figure = Figure(medianOf: finds)
        #expect(figure?.value == 10)
        #expect(figure?.ratio == 2.5)
        #expect(figure?.range == 2...7.5)
        #expect(figure?.isMet == false)
        let alone = Figure(medianOf: [1.0, 3].map { Figure("list", value: $0, unit: .times) })
        #expect(alone?.range == 1...3)
        #expect(Figure(medianOf: [Self.find])?.range == nil)
        #expect(Figure(medianOf: []) == nil)
    }

    @Test func `of several runs is put together by its work and number of items`() throws {
        let other = Figure("find", itemCount: 2000, value: 20, unit: .microseconds)
        let runs = [1.0, 2].map { start in
            FigureReport(startedAt: start, processorCount: 2, figures: [Self.find, other])
        }
        let report = try #require(FigureReport(medianOf: runs))
        #expect(report.figures.map(\.value) == [10, 20])
        #expect(report.startedAt == 1)
        #expect(FigureTable.text(report.figures).contains("| 2.50 to 2.50 |"))
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
