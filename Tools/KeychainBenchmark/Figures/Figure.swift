/// The unit of a figure.
enum FigureUnit: String, Sendable, Codable {
    case microseconds
    case milliseconds
    case megabytes
    case kilobytes
    /// The ratio of two figures, which has no unit.
    case times

    /// The sign after a number.
    var sign: String {
        switch self {
        case .microseconds: "µs"
        case .milliseconds: "ms"
        case .megabytes: "MB"
        case .kilobytes: "KB"
        case .times: "×"
        }
    }
}

/// The target of a figure.
struct FigureTarget: Sendable, Equatable, Codable {
    /// The number that is compared with the limit.
    enum Measure: String, Sendable, Codable {
        /// The ratio to the floor.
        case ratio
        /// The figure itself.
        case value
    }

    let measure: Measure
    /// The limit.
    let limit: Double
    /// Whether the limit is the greatest permitted value, or else the least.
    let isUpperLimit: Bool

    static func atMost(_ limit: Double, _ measure: Measure = .ratio) -> FigureTarget {
        FigureTarget(measure: measure, limit: limit, isUpperLimit: true)
    }

    static func atLeast(_ limit: Double, _ measure: Measure = .value) -> FigureTarget {
        FigureTarget(measure: measure, limit: limit, isUpperLimit: false)
    }

    /// Whether a value is within the limit.
    func admits(_ value: Double) -> Bool { isUpperLimit ? value <= limit : value >= limit }
}

/// One line of the benchmark: the workload, the number of items, the cost and its floor.
struct Figure: Sendable, Equatable, Codable {
    let workload: String
    /// The number of items in the keychain; nil if it does not matter.
    let itemCount: Int?
    /// The median.
    let value: Double
    let unit: FigureUnit
    /// The least possible value, in the same unit; nil if there is none.
    let floor: Double?
    /// The value divided by the floor, pair by pair if they were measured in turn.
    let ratio: Double?
    let target: FigureTarget?
    /// The least and the greatest ratio of several runs, or value if there is no ratio.
    let range: ClosedRange<Double>?

    init(
        _ workload: String,
        itemCount: Int? = nil,
        value: Double,
        unit: FigureUnit,
        floor: Double? = nil,
        ratio: Double? = nil,
        target: FigureTarget? = nil,
        range: ClosedRange<Double>? = nil
    ) {
        self.workload = workload
        self.itemCount = itemCount
        self.value = value
        self.unit = unit
        self.floor = floor
        self.ratio = ratio ?? floor.map { value / $0 }
        self.target = target
        self.range = range
    }

    /// Makes the figure of several runs, where each number is the median; nil for no run.
    ///
    /// - Parameter runs: The same figure of each run.
    init?(medianOf runs: [Figure]) {
        guard let first = runs.first, let value = Samples(runs.map(\.value)) else { return nil }
        let ratio = Samples(runs.compactMap(\.ratio))
        self.init(
            first.workload,
            itemCount: first.itemCount,
            value: value.median,
            unit: first.unit,
            floor: Samples(runs.compactMap(\.floor))?.median,
            ratio: ratio?.median,
            target: first.target,
            range: runs.count > 1 ? (ratio ?? value).range : nil
        )
    }

    /// Whether another run's figure has the same workload and number of items.
    func isSameMeasurement(as other: Figure) -> Bool {
        workload == other.workload && itemCount == other.itemCount
    }

    /// Whether the target is met; nil without a target, or without the measurement for it.
    var isMet: Bool? {
        guard let target else { return nil }
        switch target.measure {
        case .value: return target.admits(value)
        case .ratio: return ratio.map(target.admits)
        }
    }
}
