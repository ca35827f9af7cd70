/// The times of several calls of one kind.
struct Spread: Sendable {
    /// The times in seconds, in ascending order.
    private let times: [Double]

    init(_ times: [Double]) { self.times = times.sorted() }

    var count: Int { times.count }
    var total: Double { times.reduce(0, +) }
    var median: Double { at(0.5) }
    /// The 95th percentile.
    var high: Double { at(0.95) }
    var most: Double { times.last ?? 0 }

    private func at(_ part: Double) -> Double {
        guard !times.isEmpty else { return 0 }
        return times[min(times.count - 1, Int(Double(times.count) * part))]
    }
}

/// Numbers as text.
enum Words {
    /// Returns a number with three significant digits.
    static func number(_ value: Double) -> String {
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3
        var factor = 1.0
        for _ in 0..<digits { factor *= 10 }
        let rounded = (value * factor).rounded() / factor
        return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
    }

    static func seconds(_ value: Double) -> String { number(value) + " s" }
    static func milliseconds(_ value: Double) -> String { number(value * 1000) }
    static func mebibytes(_ count: Int) -> String { number(Double(count) / 1_048_576) + " MiB" }

    /// Returns the median, the 95th percentile and the longest time, in milliseconds.
    static func spread(_ spread: Spread) -> String {
        [spread.median, spread.high, spread.most].map(milliseconds).joined(separator: " / ")
    }

    /// Returns the ratio of two values; a dash if the second one is 0.
    static func ratio(_ value: Double, _ other: Double) -> String {
        other > 0 ? number(value / other) : "–"
    }

    /// Returns a row of a table in Markdown.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    static func table(_ head: [String], _ rows: [[String]]) -> String {
        let rule = "|" + String(repeating: "---|", count: head.count)
        return ([row(head), rule] + rows.map(row)).joined(separator: "\n")
    }
}
