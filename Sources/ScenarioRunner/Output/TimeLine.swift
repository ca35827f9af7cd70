// A run as SVG: columns are moments, rows show the state at each moment. Columns are in order, not
// to scale: a second of locking matters as much as a night of waiting.

/// The drawing of a part of a run that fits beside its labels.
struct TimeLine {
    private static let columnWidth = 96.0
    private static let lineHeight = 14.0
    private static let rowHeight = 26.0
    private static let keyRowHeight = 15.0
    private static let labelWidth = 184.0
    /// The columns that fit into 1,300 pixels beside the labels.
    private static let columnLimit = 11
    /// The greatest numbers of letters in a label and in a column's head.
    ///
    /// They allow for wide letters.
    private static let labelLetters = 24
    private static let columnLetters = 12

    /// The columns: samples of the run.
    let columns: Range<Int>
    private let run: ScenarioRun
    private let lanes: [Lane]
    /// The prefix of this run's element identifiers on the page.
    private let name: String

    private init(_ run: ScenarioRun, _ columns: Range<Int>, _ lanes: [Lane], _ name: String) {
        self.run = run
        self.columns = columns
        self.lanes = lanes
        self.name = name
    }

    /// Returns the drawings of a run, split so that each fits on a page.
    ///
    /// - Parameters:
    ///   - run: The run to draw.
    ///   - name: A prefix for identifiers, which is unique on the page.
    /// - Returns: Drawings of about the same width.
    static func parts(_ run: ScenarioRun, name: String) -> [TimeLine] {
        let lanes = run.devices.indices.flatMap { Lane.all(of: run, device: $0) }
        let count = max(1, (run.samples.count + columnLimit - 1) / columnLimit)
        let width = (run.samples.count + count - 1) / count
        return (0..<count).map { part in
            let end = min(run.samples.count, (part + 1) * width)
            return TimeLine(run, min(part * width, end)..<end, lanes, name)
        }
    }

    /// The drawn events in words, such as `events 1 to 7`.
    var eventWords: String {
        let steps = columns.map { run.samples[$0].step }.filter { $0 > 0 }
        guard let first = steps.first, let last = steps.last else { return "the start" }
        return first == last ? "event \(first)" : "events \(first) to \(last)"
    }

    private var width: Double { Double(columns.count) * Self.columnWidth + 12 }

    private var headHeight: Double {
        let lines = columns.map { headWords($0).count }.max() ?? 1
        return 50 + Double(lines) * Self.lineHeight
    }

    private var height: Double { headHeight + lanes.map(height).reduce(0, +) + 6 }

    private func height(_ lane: Lane) -> Double {
        switch lane.kind {
        case .title: return Self.rowHeight + Double(labelLines(lane).count - 1) * Self.lineHeight
        case .key: return Self.keyRowHeight
        case .state, .item:
            let lines = spans(lane).map { words($0).count } + [labelLines(lane).count]
            return Self.rowHeight + Double((lines.max() ?? 1) - 1) * Self.lineHeight
        }
    }

    private func labelLines(_ lane: Lane) -> [String] {
        lane.kind == .key ? [lane.name] : lane.name.lines(of: Self.labelLetters)
    }

    /// Returns the names of the rows, which stay in place while the rest scrolls.
    func labels() -> Markup {
        var top = headHeight
        var parts = [
            label(["time"], around: 14, "quiet"), label(["event"], around: 32, "quiet"),
            label(["status"], around: headHeight - 13, "quiet"),
        ]
        for lane in lanes {
            let height = height(lane)
            let style = lane.kind == .key ? "small" : lane.kind == .title ? "strong" : "plain"
            parts.append(label(labelLines(lane), around: top + height / 2, style))
            top += height
        }
        return .element(
            "svg",
            [
                "class": "labels", "width": Self.labelWidth.points, "height": height.points,
                "viewBox": "0 0 \(Self.labelWidth.points) \(height.points)",
                "aria-hidden": "true",
            ],
            parts
        )
    }

    private func label(_ lines: [String], around y: Double, _ style: String) -> Markup {
        let parts = text(lines, Self.labelWidth - 7, around: y, style, anchor: "end")
        return .element("g", [:], parts)
    }

    /// Returns lines of text, centred vertically at a height.
    private func text(
        _ lines: [String],
        _ x: Double,
        around y: Double,
        _ style: String,
        anchor: String = "start"
    ) -> [Markup] {
        let top = y + 4 - Double(lines.count - 1) * Self.lineHeight / 2
        return lines.enumerated().map { index, line in
            .element(
                "text",
                [
                    "class": style, "x": x.points,
                    "y": (top + Double(index) * Self.lineHeight).points, "text-anchor": anchor,
                ],
                text: line
            )
        }
    }

    /// Returns the rows.
    func rows(title: String) -> Markup {
        var parts: [Markup] = []
        for column in columns { parts += head(column) }
        var top = headHeight
        for lane in lanes {
            parts += spans(lane).map { span($0, lane, top) }
            top += height(lane)
        }
        parts += calls()
        return .element(
            "svg",
            [
                "class": "rows", "width": width.points, "height": height.points,
                "viewBox": "0 0 \(width.points) \(height.points)", "role": "img",
                "aria-label":
                    "Time line of \(title), \(eventWords); the table below has the same as text.",
            ],
            parts
        )
    }

    /// The style sheet's class that shows a hint if a drawing of this width scrolls.
    var cueStyle: String { "cue cue-\(columns.count)" }

    /// The rules for these hints, which query the width of the container.
    static let cueRules: String = (1...columnLimit).map { count in
        let width = labelWidth + Double(count) * columnWidth + 14
        return "@container line (max-width:\(width.points)px){.cue-\(count){display:block}}\n"
    }.joined()
}

// The head: time, event and status.
extension TimeLine {
    private func x(_ column: Int) -> Double {
        Double(column - columns.lowerBound) * Self.columnWidth
    }

    /// Returns the event's name in the head of a column.
    private func headWords(_ column: Int) -> [String] {
        guard let step = step(column) else { return [column == 0 ? "start" : "keys leave"] }
        return "\(step.number) \(step.verb)".lines(of: Self.columnLetters)
    }

    private func head(_ column: Int) -> [Markup] {
        let (x, sample) = (x(column), run.samples[column])
        let step = step(column)
        let words = headWords(column)
        let middle = 32 + Double(words.count - 1) * Self.lineHeight / 2
        var parts =
            [
                Markup.element(
                    "line",
                    [
                        "class": "grid", "x1": (x + 6).points, "x2": (x + 6).points, "y1": "4",
                        "y2": height.points,
                    ]
                )
            ] + text([sample.at.seconds], x + 12, around: 14, "quiet")
            + text(words, x + 12, around: middle, step == nil ? "quiet" : "strong")
        if let step { parts.append(mark(step, x + 18, headHeight - 13)) }
        return parts
    }

    /// Returns the event before a column; nil at the start and at the end of a grace period.
    private func step(_ column: Int) -> ScenarioStep? {
        guard column > 0, run.samples[column].step != run.samples[column - 1].step else {
            return nil
        }
        return run.steps[run.samples[column].step - 1]
    }

    private func mark(_ step: ScenarioStep, _ x: Double, _ y: Double) -> Markup {
        let fate = step.holds ? "holds" : "fails"
        return .element(
            "g",
            ["class": "mark \(fate)", "id": "\(name)-\(step.number)"],
            [
                .element("title", text: step.tooltip),
                .element(
                    "rect",
                    [
                        "class": "place", "x": (x - 11).points, "y": (y - 11).points, "rx": "5",
                        "width": (Self.columnWidth - 6).points, "height": "22",
                    ]
                ),
                .element("circle", ["cx": x.points, "cy": y.points, "r": "6.5"]),
                .element(
                    "path",
                    ["d": step.holds ? Self.tick(x, y) : Self.cross(x, y), "class": "glyph"]
                ),
            ] + text([String(step.observed.code)], x + 11, around: y, "plain")
        )
    }

    private static func tick(_ x: Double, _ y: Double) -> String {
        "M\((x - 3).points) \(y.points)l2 2.5l4-5"
    }

    private static func cross(_ x: Double, _ y: Double) -> String {
        "M\((x - 3).points) \((y - 3).points)l6 6m0-6l-6 6"
    }
}

// The rows, in which equal neighbours form one span.
extension TimeLine {
    private struct Span {
        let cell: Lane.Cell
        let columns: Range<Int>
    }

    private func spans(_ lane: Lane) -> [Span] {
        var found: [Span] = []
        var start = columns.lowerBound
        while start < columns.upperBound {
            var end = start + 1
            while end < columns.upperBound, lane.cells[end] == lane.cells[start] { end += 1 }
            if let cell = lane.cells[start] { found.append(Span(cell: cell, columns: start..<end)) }
            start = end
        }
        return found
    }

    private func words(_ span: Span) -> [String] {
        span.cell.words.lines(of: span.columns.count * (Self.columnLetters + 2) - 2)
    }

    private func span(_ span: Span, _ lane: Lane, _ top: Double) -> Markup {
        let x = x(span.columns.lowerBound) + 6
        let height = height(lane)
        let inset = lane.kind == .key ? 1.5 : 3.0
        let box: (String) -> Markup = { style in
            .element(
                "rect",
                [
                    "class": style, "x": x.points, "y": (top + inset).points, "rx": "3",
                    "width": (Double(span.columns.count) * Self.columnWidth - 2).points,
                    "height": (height - 2 * inset).points,
                ]
            )
        }
        var parts = [
            Markup.element("title", text: span.cell.tooltip), box("cell \(span.cell.style)"),
        ]
        if let pattern = span.cell.pattern { parts.append(box("over \(pattern)")) }
        if lane.kind != .key { parts += text(words(span), x + 12, around: top + height / 2, "on") }
        return .element("g", [:], parts)
    }

    /// Returns a ring in the row of each call's item.
    private func calls() -> [Markup] {
        var middles: [Lane.Subject: Double] = [:]
        var top = headHeight
        for lane in lanes {
            middles[lane.subject] = top + height(lane) / 2
            top += height(lane)
        }
        return columns.compactMap { column in
            guard let step = step(column) else { return nil }
            let subject = Lane.Subject(device: step.device, item: step.item, file: step.file)
            guard let y = middles[subject] else { return nil }
            return .element(
                "g",
                ["class": "mark \(step.holds ? "holds" : "fails")"],
                [
                    .element("title", text: step.tooltip),
                    .element(
                        "circle",
                        ["cx": (x(column) + 6).points, "cy": y.points, "r": "5"]
                    ),
                ]
            )
        }
    }
}

extension ScenarioStep {
    /// Everything known about the event, one fact on each line.
    fileprivate var tooltip: String {
        var lines = ["\(number). \(event)", "observed \(observed.words)"]
        lines.append("expected \(expected?.words ?? "anything")")
        lines += prompts.map { "asked for \($0.kind): \($0.answer)" }
        if let explanation { lines.append(explanation.sentence) }
        return lines.joined(separator: "\n")
    }
}

extension Double {
    /// The coordinate, without a fraction if it is whole.
    fileprivate var points: String { Int(exactly: self).map(String.init) ?? String(self) }
}

extension String {
    /// Returns lines of at most `limit` letters.
    ///
    /// Breaks at spaces, then before capitals and dashes, and otherwise anywhere.
    func lines(of limit: Int) -> [String] {
        var lines: [String] = []
        var rest = self[...]
        while rest.count > limit {
            let head = rest.prefix(limit + 1)
            let space = head.lastIndex(of: " ")
            let joint = head.indices.dropFirst().last { head[$0].isUppercase || head[$0] == "-" }
            let end = space ?? joint ?? rest.index(rest.startIndex, offsetBy: limit)
            lines.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        return rest.isEmpty && !lines.isEmpty ? lines : lines + [String(rest)]
    }
}
