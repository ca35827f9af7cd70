/// Measurements of one thing, and what is quoted of them.
///
/// The median is quoted: on a machine that does other work too, the mean is that work's.
struct Samples: Sendable, Equatable {
    private let sorted: [Double]

    /// Takes the values in any order; nil for none.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        sorted = values.sorted()
    }

    /// How many there are.
    var count: Int { sorted.count }

    /// The value in the middle; of an even number the mean of the two in the middle.
    var median: Double { quantile(0.5) }

    /// From the least to the greatest.
    var range: ClosedRange<Double> { quantile(0)...quantile(1) }

    /// A value that the given part of the samples does not exceed, between two of them if need be.
    ///
    /// - Parameter part: From 0, the least, to 1, the greatest.
    /// - Returns: A value in the samples' unit.
    func quantile(_ part: Double) -> Double {
        let position = part.clamped(to: 0...1) * Double(sorted.count - 1)
        let below = sorted[Int(position.rounded(.down))]
        let above = sorted[Int(position.rounded(.up))]
        return below + (above - below) * (position - position.rounded(.down))
    }

    /// The ratio of two series that were measured in turn, pair by pair.
    ///
    /// Whatever slowed the machine down slowed both halves of a pair.
    static func ratios(_ series: [Double], to other: [Double]) -> Samples? {
        Samples(zip(series, other).filter { $0.1 > 0 }.map { $0.0 / $0.1 })
    }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
