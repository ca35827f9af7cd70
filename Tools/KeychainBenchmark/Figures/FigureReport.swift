import Foundation

/// A whole run in its stored form: one line of JSON, so that lines of several runs are a history.
struct FigureReport: Sendable, Equatable, Codable {
    /// The time at which the run started, in seconds since 1970.
    let startedAt: Double
    /// The number of processors that the process may use.
    let processorCount: Int
    let figures: [Figure]

    init(startedAt: Double, processorCount: Int, figures: [Figure]) {
        self.startedAt = startedAt
        self.processorCount = processorCount
        self.figures = figures
    }

    /// Joins several runs: each figure is the median of the runs that have it.
    init?(medianOf runs: [FigureReport]) {
        guard let first = runs.first else { return nil }
        let figures = runs.flatMap(\.figures)
        startedAt = first.startedAt
        processorCount = first.processorCount
        self.figures = first.figures.compactMap { figure in
            Figure(medianOf: figures.filter(figure.isSameMeasurement(as:)))
        }
    }

    /// Whether all targets are met.
    var isMet: Bool { figures.allSatisfy { $0.isMet != false } }

    /// Returns one line, with the keys in alphabetical order.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
