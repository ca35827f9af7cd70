import Foundation

/// A whole run, as it is kept: one line of JSON, so that lines of several runs are a history.
struct FigureReport: Sendable, Equatable, Codable {
    /// When the run started, in seconds since 1970.
    let startedAt: Double
    /// How many processors the process may use.
    let processorCount: Int
    let figures: [Figure]

    init(startedAt: Double, processorCount: Int, figures: [Figure]) {
        self.startedAt = startedAt
        self.processorCount = processorCount
        self.figures = figures
    }

    /// Several runs as one: each figure is the median of the runs that have it.
    init?(medianOf runs: [FigureReport]) {
        guard let first = runs.first else { return nil }
        let figures = runs.flatMap(\.figures)
        startedAt = first.startedAt
        processorCount = first.processorCount
        self.figures = first.figures.compactMap { figure in
            Figure(medianOf: figures.filter(figure.isSameMeasurement(as:)))
        }
    }

    /// Whether no target is missed.
    var isMet: Bool { figures.allSatisfy { $0.isMet != false } }

    /// One line, with the keys in alphabetical order.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
