/// What a figure is counted in.
enum FigureUnit: String, Sendable, Codable {
    case microseconds
    case milliseconds
    case megabytes
    case kilobytes
    /// One figure by another: no unit of its own.
    case times

    /// The sign behind a number.
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

/// What a figure has to reach.
struct FigureTarget: Sendable, Equatable, Codable {
    /// What is held against the limit.
    enum Measure: String, Sendable, Codable {
        /// The ratio to the floor.
        case ratio
        /// The figure itself.
        case value
    }

    let measure: Measure
    /// The limit.
    let limit: Double
    /// Whether the limit is the most that is allowed, or the least.
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

/// One line of the benchmark: what was done, at how many items, what it cost, beside what.
struct Figure: Sendable, Equatable, Codable {
    let workload: String
    /// How many items the keychain held; nil where that does not matter.
    let itemCount: Int?
    /// The median.
    let value: Double
    let unit: FigureUnit
    /// What the value stands beside, in the same unit; nil for a figure that stands alone.
    let floor: Double?
    /// The value by the floor, pair by pair where they were measured in turn.
    let ratio: Double?
    let target: FigureTarget?
    /// The least and the greatest of several runs, of the ratio or else of the value.
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

    /// The figure of several runs: each number is the median; nil for no run.
    ///
    /// - Parameter runs: The same figure, once for each run.
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

    /// Whether another run's figure is of the same work on as many items.
    func isSameMeasurement(as other: Figure) -> Bool {
        workload == other.workload && itemCount == other.itemCount
    }

    /// nil without a target, or when what the target is about was not measured.
    var isMet: Bool? {
        guard let target else { return nil }
        switch target.measure {
        case .value: return target.admits(value)
        case .ratio: return ratio.map(target.admits)
        }
    }
}
