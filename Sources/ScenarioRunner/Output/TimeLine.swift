// A run drawn as SVG: columns are moments, rows are what stands or lies at that moment. Time is in
// order, not to scale: a second of locking matters as much as a night of waiting.

/// The drawing of one run.
struct TimeLine {
    private static let columnWidth = 96.0
    private static let rowHeight = 26.0
    private static let keyRowHeight = 15.0
    private static let headHeight = 64.0

    private let run: ScenarioRun
    private let lanes: [Lane]

    init(_ run: ScenarioRun) {
        self.run = run
        lanes = run.devices.indices.flatMap { Lane.all(of: run, device: $0) }
    }

    private var width: Double { Double(run.samples.count) * Self.columnWidth + 12 }

    private var height: Double { Self.headHeight + lanes.map(Self.height).reduce(0, +) + 6 }

    private static func height(_ lane: Lane) -> Double {
        switch lane.kind {
        case .title: 28
        case .key: keyRowHeight
        case .state, .item: rowHeight
        }
    }

    /// The names of the rows, which stay where they are while the rest scrolls.
    func labels() -> Markup {
        var top = Self.headHeight
        var parts: [Markup] = [
            label("time", at: 18, "quiet"), label("event", at: 36, "quiet"),
            label("status", at: 55, "quiet"),
        ]
        for lane in lanes {
            let height = Self.height(lane)
            let style = lane.kind == .key ? "small" : lane.kind == .title ? "strong" : "plain"
            parts.append(label(lane.name, at: top + height / 2 + 4, style))
            top += height
        }
        return .element(
            "svg",
            [
                "class": "labels", "width": "150", "height": height.points,
                "viewBox": "0 0 150 \(height.points)", "aria-hidden": "true",
            ],
            parts
        )
    }

    private func label(_ name: String, at y: Double, _ style: String) -> Markup {
        .element(
            "text",
            ["class": style, "x": "143", "y": y.points, "text-anchor": "end"],
            [
                .element("title", text: name),
                .text(name.count > 24 ? name.prefix(23) + "…" : name),
            ]
        )
    }

    /// The rows themselves.
    func rows(title: String) -> Markup {
        var parts: [Markup] = []
        for (column, sample) in run.samples.enumerated() { parts += head(column, sample) }
        var top = Self.headHeight
        for lane in lanes {
            parts += spans(lane, top)
            top += Self.height(lane)
        }
        parts += calls()
        return .element(
            "svg",
            [
                "class": "rows", "width": width.points, "height": height.points,
                "viewBox": "0 0 \(width.points) \(height.points)", "role": "img",
                "aria-label": "Time line of \(title); the table below has the same as text.",
            ],
            parts
        )
    }
}

// The head: time, event, status.
extension TimeLine {
    private func head(_ column: Int, _ sample: ScenarioSample) -> [Markup] {
        let x = Double(column) * Self.columnWidth
        let isEvent = isEvent(column)
        var parts = [
            Markup.element(
                "line",
                [
                    "class": "grid", "x1": (x + 6).points, "x2": (x + 6).points, "y1": "4",
                    "y2": height.points,
                ]
            ),
            text(sample.at.seconds, x + 12, 18, "quiet"),
        ]
        if isEvent {
            let step = run.steps[sample.step - 1]
            let words = "\(step.number) \(step.verb)".shortened(to: 12)
            parts.append(text(words, x + 12, 36, "strong"))
            parts.append(mark(step, x + 18))
        } else {
            parts.append(text(column == 0 ? "start" : "keys leave", x + 12, 36, "quiet"))
        }
        return parts
    }

    /// Whether a column is what an event left, and not the start or the end of a grace period.
    private func isEvent(_ column: Int) -> Bool {
        column > 0 && run.samples[column].step != run.samples[column - 1].step
    }

    private func mark(_ step: ScenarioStep, _ x: Double) -> Markup {
        let fate = step.holds ? "holds" : "fails"
        return .element(
            "g",
            ["class": "mark \(fate)"],
            [
                .element("title", text: step.tooltip),
                .element("circle", ["cx": x.points, "cy": "51", "r": "6.5"]),
                .element(
                    "path",
                    ["d": step.holds ? Self.tick(x, 51) : Self.cross(x, 51), "class": "glyph"]
                ),
                text(String(step.observed.code), x + 11, 55, "plain"),
            ]
        )
    }

    private static func tick(_ x: Double, _ y: Double) -> String {
        "M\((x - 3).points) \(y.points)l2 2.5l4-5"
    }

    private static func cross(_ x: Double, _ y: Double) -> String {
        "M\((x - 3).points) \((y - 3).points)l6 6m0-6l-6 6"
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> Markup {
        .element("text", ["class": style, "x": x.points, "y": y.points], text: text)
    }
}

// The rows: equal neighbours are one span.
extension TimeLine {
    private func spans(_ lane: Lane, _ top: Double) -> [Markup] {
        var parts: [Markup] = []
        var start = 0
        while start < lane.cells.count {
            var end = start + 1
            while end < lane.cells.count, lane.cells[end] == lane.cells[start] { end += 1 }
            if let cell = lane.cells[start] { parts.append(span(cell, lane, start..<end, top)) }
            start = end
        }
        return parts
    }

    private func span(
        _ cell: Lane.Cell,
        _ lane: Lane,
        _ columns: Range<Int>,
        _ top: Double
    ) -> Markup {
        let x = Double(columns.lowerBound) * Self.columnWidth + 6
        let height = Self.height(lane)
        let inset = lane.kind == .key ? 1.5 : 3.0
        let box: (String) -> Markup = { style in
            .element(
                "rect",
                [
                    "class": style, "x": x.points, "y": (top + inset).points, "rx": "3",
                    "width": (Double(columns.count) * Self.columnWidth - 2).points,
                    "height": (height - 2 * inset).points,
                ]
            )
        }
        var parts: [Markup] = [.element("title", text: cell.tooltip), box("cell \(cell.style)")]
        if let pattern = cell.pattern { parts.append(box("over \(pattern)")) }
        if lane.kind != .key {
            parts.append(text(cell.words, x + 12, top + height / 2 + 4, "on"))
        }
        return .element("g", [:], parts)
    }

    /// A ring in the row of the item that a call is about.
    private func calls() -> [Markup] {
        var tops: [Lane.Subject: Double] = [:]
        var top = Self.headHeight
        for lane in lanes {
            tops[lane.subject] = top + Self.height(lane) / 2
            top += Self.height(lane)
        }
        return run.samples.indices.filter(isEvent).compactMap { column in
            let step = run.steps[run.samples[column].step - 1]
            let subject = Lane.Subject(
                device: step.device,
                item: step.item,
                file: step.file
            )
            guard let y = tops[subject] else { return nil }
            return .element(
                "g",
                ["class": "mark \(step.holds ? "holds" : "fails")"],
                [
                    .element("title", text: step.tooltip),
                    .element(
                        "circle",
                        [
                            "cx": (Double(column) * Self.columnWidth + 6).points, "cy": y.points,
                            "r": "5",
                        ]
                    ),
                ]
            )
        }
    }
}

extension ScenarioStep {
    /// All that is known of the event, a line for each fact.
    fileprivate var tooltip: String {
        var lines = ["\(number). \(event)", "observed \(observed.words)"]
        lines.append("expected \(expected?.words ?? "anything")")
        lines += prompts.map { "asked for \($0.kind): \($0.answer)" }
        if let explanation { lines.append(explanation.sentence) }
        return lines.joined(separator: "\n")
    }
}

extension Double {
    /// A coordinate: whole where it can be.
    fileprivate var points: String { Int(exactly: self).map(String.init) ?? String(self) }
}

extension String {
    fileprivate func shortened(to count: Int) -> String {
        self.count > count ? prefix(count - 1) + "…" : self
    }
}
