import Foundation

/// The figures as a table, in plain text that is also Markdown.
enum FigureTable {
    private static let header = [
        "workload", "items", "cost", "floor", "ratio", "range", "target", "result",
    ]

    /// Returns the table, with a line for each figure and without a line feed at the end.
    static func text(_ figures: [Figure]) -> String {
        let rows = [header] + figures.map(cells)
        let widths = header.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        let lines = rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                padded(cell.0, to: cell.1, leading: column > 0 && column < header.count - 1)
            }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rule = widths.enumerated().map { column, width in
            let isRight = column > 0 && column < header.count - 1
            return String(repeating: "-", count: width + (isRight ? 1 : 2)) + (isRight ? ":" : "")
        }
        let ruleLine = "|" + rule.joined(separator: "|") + "|"
        return ([lines[0], ruleLine] + lines[1...]).joined(separator: "\n")
    }

    /// Returns the number of targets that the figures miss, with one line for each of them.
    static func summary(_ figures: [Figure]) -> String {
        let judged = figures.filter { $0.isMet != nil }
        let short = judged.filter { $0.isMet == false }
        guard !short.isEmpty else { return "The keychain meets every target (\(judged.count))." }
        let names = short.map { figure in
            figure.itemCount.map { "\(figure.workload) at \(grouped($0)) items" } ?? figure.workload
        }
        let list = names.map { "- \($0)" }.joined(separator: "\n")
        return "The keychain misses \(short.count) of \(judged.count) targets:\n\n\(list)"
    }

    private static func cells(of figure: Figure) -> [String] {
        [
            figure.workload,
            figure.itemCount.map(grouped) ?? "",
            number(figure.value) + " " + figure.unit.sign,
            figure.floor.map { number($0) + " " + figure.unit.sign } ?? "",
            figure.ratio.map(number) ?? "",
            figure.range.map(text) ?? "",
            figure.target.map { target(of: figure, $0) } ?? "",
            figure.isMet.map { $0 ? "met" : "not met" } ?? "",
        ]
    }

    private static func text(_ range: ClosedRange<Double>) -> String {
        number(range.lowerBound) + " to " + number(range.upperBound)
    }

    private static func target(of figure: Figure, _ target: FigureTarget) -> String {
        let sign = target.isUpperLimit ? "≤ " : "≥ "
        let unit = target.measure == .ratio ? "×" : figure.unit.sign
        return sign + number(target.limit) + " " + unit
    }

    /// Returns a number with three significant digits.
    static func number(_ value: Double) -> String {
        let size = abs(value)
        let digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
        return String(format: "%.\(digits)f", value)
    }

    /// Returns the digits in groups of three.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        for position in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: position)
        }
        return String(digits)
    }

    private static func padded(_ text: String, to width: Int, leading: Bool) -> String {
        let space = String(repeating: " ", count: width - text.count)
        return leading ? space + text : text + space
    }
}
