import Foundation
import Testing

@testable import keychain_benchmark

@Suite struct `The plot of a benchmark` {
    private static let figures = [1000, 1_000_000].map { count in
        Figure("find <data>", itemCount: count, value: 9, unit: .microseconds, floor: 4)
    }

    @Test func `is well-formed XML`() throws {
        let plot = try #require(CostPlot(Self.figures))
        let parser = XMLCheck(plot.svg)
        #expect(parser.elements.first == "svg")
        #expect(parser.elements.count { $0 == "polyline" } == 2)
        #expect(parser.elements.count { $0 == "circle" } == 4)
    }

    @Test func `needs a figure at some number of items`() {
        #expect(CostPlot([Figure("x", value: 1, unit: .microseconds)]) == nil)
        #expect(CostPlot([CostPlot.Series("x", [(0, 1), (1, 0), (-1, 3)])]) == nil)
    }

    @Test func `puts powers of ten at equal distances`() throws {
        let scale = try #require(LogarithmicScale([1000, 1_000_000], onto: 0...300))
        #expect(scale.decades == [1000, 10_000, 100_000, 1_000_000])
        let places = scale.decades.map { scale.position(of: $0).rounded() }
        #expect(places == [0, 100, 200, 300])
    }

    @Test func `has room for a single value`() throws {
        let scale = try #require(LogarithmicScale([100], onto: 0...100))
        #expect(scale.position(of: 100) == 0)
        #expect(LogarithmicScale([], onto: 0...100) == nil)
    }
}

/// The names of the opening tags, in order, of text whose tags are balanced.
private struct XMLCheck {
    private(set) var elements: [String] = []

    init(_ text: String) {
        var open: [Substring] = []
        for part in text.split(separator: "<") {
            guard let tag = part.split(separator: ">", maxSplits: 1).first else { continue }
            let name = tag.prefix { $0.isLetter || $0 == "/" }.split(separator: "/").first ?? ""
            if tag.hasPrefix("/") {
                guard open.popLast() == name else {
                    elements = []
                    return
                }
            } else {
                elements.append(String(name))
                if !tag.hasSuffix("/") { open.append(name) }
            }
        }
        if !open.isEmpty { elements = [] }
    }
}
