import Foundation

/// Cost against number of items, both on logarithmic scales, as an SVG picture.
struct CostPlot: Sendable {
    /// One line of the plot.
    struct Series: Sendable {
        let name: String
        /// Number of items and microseconds, in the order of the items.
        let points: [(itemCount: Double, microseconds: Double)]
        /// Whether the line is a floor, which is dashed.
        let isFloor: Bool

        init(_ name: String, _ points: [(Double, Double)], isFloor: Bool = false) {
            self.name = name
            self.points = points.map { (itemCount: $0.0, microseconds: $0.1) }
            self.isFloor = isFloor
        }
    }

    private static let width = 760.0
    private static let height = 420.0
    private static let left = 70.0
    private static let right = 220.0
    private static let top = 40.0
    private static let bottom = 50.0
    private static let colors = [
        "#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5",
        "#9c6b4e", "#9498a0",
    ]

    private let series: [Series]
    private let items: LogarithmicScale
    private let costs: LogarithmicScale

    /// Plots the positive values of the series; nil if there are none.
    init?(_ series: [Series]) {
        let drawn = series.map { line in
            let points = line.points.filter { $0.itemCount > 0 && $0.microseconds > 0 }
            return Series(
                line.name,
                points.map { ($0.itemCount, $0.microseconds) },
                isFloor: line.isFloor
            )
        }
        let points = drawn.flatMap(\.points)
        guard
            let items = LogarithmicScale(
                points.map(\.itemCount),
                onto: Self.left...(Self.width - Self.right)
            ),
            let costs = LogarithmicScale(
                points.map(\.microseconds),
                onto: Self.top...(Self.height - Self.bottom)
            )
        else { return nil }
        self.series = drawn.filter { !$0.points.isEmpty }
        self.items = items
        self.costs = costs
    }

    /// Plots each workload that was measured with several numbers of items.
    init?(_ figures: [Figure]) {
        var names: [String] = []
        for figure in figures where figure.itemCount != nil && figure.unit == .microseconds {
            if !names.contains(figure.workload) { names.append(figure.workload) }
        }
        var series: [Series] = []
        for name in names {
            let mine = figures.filter { $0.workload == name }
            series.append(Series(name, mine.map { (Double($0.itemCount ?? 0), $0.value) }))
        }
        let floors = figures.filter { $0.workload == names.first && $0.floor != nil }
        let floorPoints = floors.map { (Double($0.itemCount ?? 0), $0.floor ?? 0) }
        series.append(Series("floor of a find", floorPoints, isFloor: true))
        self.init(series)
    }

    /// The picture as text.
    var svg: String {
        let box = "0 0 \(Self.text(Self.width)) \(Self.text(Self.height))"
        let opening =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(box)\" "
            + "font-family=\"sans-serif\" font-size=\"12\">"
        let background = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        let title = label("Cost of a call against items in the keychain", Self.left, 20, "start")
        let lines = series.enumerated().flatMap { index, line in drawn(line, index) }
        return
            ([opening, background, title] + itemAxis + costAxis + lines + ["</svg>"])
            .joined(separator: "\n") + "\n"
    }

    private var itemAxis: [String] {
        let bottom = Self.height - Self.bottom
        return items.decades.flatMap { value in
            let x = items.position(of: value)
            return [
                rule(x, Self.top, x, bottom),
                label(FigureTable.grouped(Int(value)), x, bottom + 18, "middle"),
            ]
        } + [label("items", (Self.left + Self.width - Self.right) / 2, bottom + 38, "middle")]
    }

    private var costAxis: [String] {
        costs.decades.flatMap { value in
            let y = y(of: value)
            let name = value >= 1000 ? "\(Self.text(value / 1000)) ms" : "\(Self.text(value)) µs"
            return [
                rule(Self.left, y, Self.width - Self.right, y),
                label(name, Self.left - 8, y + 4, "end"),
            ]
        }
    }

    private func drawn(_ line: Series, _ index: Int) -> [String] {
        let color = line.isFloor ? "#333333" : Self.colors[index % Self.colors.count]
        let places = line.points.map { point in
            (x: items.position(of: point.itemCount), y: y(of: point.microseconds))
        }
        let path = places.map { "\(Self.text($0.x)),\(Self.text($0.y))" }.joined(separator: " ")
        let dashes = line.isFloor ? " stroke-dasharray=\"5 4\"" : ""
        let legend = Self.top + 10 + Double(index) * 20
        let x = Self.width - Self.right + 20
        var drawn = [
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(color)\" "
                + "stroke-width=\"2\"\(dashes)/>"
        ]
        drawn += places.map { place in
            "<circle cx=\"\(Self.text(place.x))\" cy=\"\(Self.text(place.y))\" r=\"3\" "
                + "fill=\"\(color)\"/>"
        }
        drawn.append(
            "<line x1=\"\(Self.text(x))\" y1=\"\(Self.text(legend))\" x2=\"\(Self.text(x + 20))\" "
                + "y2=\"\(Self.text(legend))\" stroke=\"\(color)\" stroke-width=\"2\"\(dashes)/>"
        )
        drawn.append(label(line.name, x + 26, legend + 4, "start"))
        return drawn
    }

    /// Returns the vertical position.
    private func y(of cost: Double) -> Double {
        Self.height - Self.bottom + Self.top - costs.position(of: cost)
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<line x1=\"\(Self.text(x1))\" y1=\"\(Self.text(y1))\" x2=\"\(Self.text(x2))\" "
            + "y2=\"\(Self.text(y2))\" stroke=\"#e4e4e4\"/>"
    }

    private func label(_ words: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
        "<text x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" text-anchor=\"\(anchor)\">"
            + Self.escaped(words) + "</text>"
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(format: "%.1f", number)
    }

    private static func escaped(_ words: String) -> String {
        words.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}

/// A logarithmic scale for positive numbers.
struct LogarithmicScale: Sendable {
    private let least: Double
    private let greatest: Double
    private let range: ClosedRange<Double>

    /// Makes a scale of whole powers of ten around all values; nil if there are none.
    init?(_ values: [Double], onto range: ClosedRange<Double>) {
        guard let least = values.min(), let greatest = values.max(), least > 0 else { return nil }
        self.least = log10(least).rounded(.down)
        self.greatest = max(log10(greatest).rounded(.up), self.least + 1)
        self.range = range
    }

    /// The powers of ten on the scale.
    var decades: [Double] {
        stride(from: least, through: greatest, by: 1).map { pow(10, $0) }
    }

    func position(of value: Double) -> Double {
        let part = (log10(value) - least) / (greatest - least)
        return range.lowerBound + part * (range.upperBound - range.lowerBound)
    }
}
