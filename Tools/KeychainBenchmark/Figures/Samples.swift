/// Several measurements of the same work, and their statistics.
///
/// Reports give the median, because other work of the machine changes the mean more.
struct Samples: Sendable, Equatable {
    private let sorted: [Double]

    /// Takes the values in any order; nil for none.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        sorted = values.sorted()
    }

    /// The number of measurements.
    var count: Int { sorted.count }

    /// The middle value; for an even number of values, the mean of the two in the middle.
    var median: Double { quantile(0.5) }

    /// From the least to the greatest.
    var range: ClosedRange<Double> { quantile(0)...quantile(1) }

    /// Returns a value that the given part of the samples does not exceed, interpolated if
    /// necessary.
    ///
    /// - Parameter part: From 0, the least, to 1, the greatest.
    /// - Returns: A value in the samples' unit.
    func quantile(_ part: Double) -> Double {
        let position = part.clamped(to: 0...1) * Double(sorted.count - 1)
        let below = sorted[Int(position.rounded(.down))]
        let above = sorted[Int(position.rounded(.up))]
        return below + (above - below) * (position - position.rounded(.down))
    }

    /// Returns the ratios of two series that were measured in turn, pair by pair.
    ///
    /// If the machine was slow for a moment, it was slow for both measurements of a pair.
    static func ratios(_ series: [Double], to other: [Double]) -> Samples? {
        Samples(zip(series, other).filter { $0.1 > 0 }.map { $0.0 / $0.1 })
    }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
