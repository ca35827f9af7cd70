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

    /// Whether no target is missed.
    var isMet: Bool { figures.allSatisfy { $0.isMet != false } }

    /// One line, with the keys in alphabetical order.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
