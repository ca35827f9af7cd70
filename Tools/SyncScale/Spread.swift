/// How long many calls of one kind took.
struct Spread: Sendable {
    /// In seconds, ascending.
    private let times: [Double]

    init(_ times: [Double]) { self.times = times.sorted() }

    var count: Int { times.count }
    var total: Double { times.reduce(0, +) }
    var median: Double { at(0.5) }
    /// Of twenty calls one took longer.
    var high: Double { at(0.95) }
    var most: Double { times.last ?? 0 }

    private func at(_ part: Double) -> Double {
        guard !times.isEmpty else { return 0 }
        return times[min(times.count - 1, Int(Double(times.count) * part))]
    }
}

/// Numbers as people read them.
enum Words {
    /// With three figures that count.
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

    /// Median, the one that one of twenty exceeds, and the longest, in milliseconds.
    static func spread(_ spread: Spread) -> String {
        [spread.median, spread.high, spread.most].map(milliseconds).joined(separator: " / ")
    }

    /// One thing by another; a dash if there is no other.
    static func ratio(_ value: Double, _ other: Double) -> String {
        other > 0 ? number(value / other) : "–"
    }

    /// A row of a table in Markdown.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    static func table(_ head: [String], _ rows: [[String]]) -> String {
        let rule = "|" + String(repeating: "---|", count: head.count)
        return ([row(head), rule] + rows.map(row)).joined(separator: "\n")
    }
}
