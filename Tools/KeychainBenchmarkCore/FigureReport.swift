import Foundation

/// A whole run, as it is kept: one line of JSON, so that lines of several runs are a history.
package struct FigureReport: Sendable, Equatable, Codable {
    /// When the run started, in seconds since 1970.
    package let startedAt: Double
    /// How many processors the process may use.
    package let processorCount: Int
    package let figures: [Figure]

    package init(startedAt: Double, processorCount: Int, figures: [Figure]) {
        self.startedAt = startedAt
        self.processorCount = processorCount
        self.figures = figures
    }

    /// Whether no target is missed.
    package var isMet: Bool { figures.allSatisfy { $0.isMet != false } }

    /// One line, with the keys in alphabetical order.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
