/// An HTML table with expected and observed results side by side.
struct ReportTable {
    private let report: ScenarioReport
    /// The prefix of the event identifiers in the first run's time line.
    private let name: String

    init(_ report: ScenarioReport, name: String) {
        self.report = report
        self.name = name
    }

    var markup: Markup {
        .element(
            "div",
            [
                "class": "scroll", "tabindex": "0", "role": "region",
                "aria-label": "events, scrolls sideways",
            ],
            [
                .element(
                    "table",
                    [:],
                    [.element("thead", [:], head), .element("tbody", [:], rows)]
                )
            ]
        )
    }

    /// The two rows of the head: the runs' names, and below each the names of its columns.
    private var head: [Markup] {
        let tall = { name in
            Markup.element("th", ["scope": "col", "rowspan": "2"], text: name)
        }
        let runs = report.runs.map { run in
            Markup.element(
                "th",
                ["scope": "colgroup", "colspan": "2"],
                text: run.heading
            )
        }
        let pairs = report.runs.flatMap { _ in
            ["expected", "observed"].map { Markup.element("th", ["scope": "col"], text: $0) }
        }
        return [
            .element(
                "tr",
                [:],
                (["#", "time"] + (report.hasDevices ? ["device"] : []) + ["event"]).map(tall)
                    + runs + [tall("prompts, and why")]
            ),
            .element("tr", [:], pairs),
        ]
    }

    private var rows: [Markup] {
        guard let first = report.runs.first else { return [] }
        return first.steps.indices.map { index in
            let steps = report.runs.map { $0.steps[index] }
            let step = steps[0]
            let differences = report.differences(at: index)
            return .element(
                "tr",
                ["class": steps.allSatisfy(\.holds) ? "" : "bad"],
                [
                    .element(
                        "td",
                        ["class": "number"],
                        [
                            .element(
                                "a",
                                ["href": "#\(name)-\(step.number)"],
                                text: "\(step.number)"
                            )
                        ]
                    ),
                    .element("td", ["class": "number"], text: step.at.seconds),
                ] + (report.hasDevices ? [.element("td", text: step.device)] : [])
                    + [.element("td", text: step.event)] + steps.flatMap(Self.cells) + [
                        Self.reasons(steps, differences)
                    ]
            )
        }
    }

    private static func cells(_ step: ScenarioStep) -> [Markup] {
        let expected = step.expected
        return [
            .element(
                "td",
                ["class": "number", "title": expected?.name ?? ""],
                text: expected.map { String($0.code) } ?? "anything"
            ),
            .element(
                "td",
                [
                    "class": step.holds ? "number good" : "number wrong",
                    "title": step.observed.name,
                ],
                text: (step.holds ? "✓ " : "✗ ") + String(step.observed.code)
            ),
        ]
    }

    private static func reasons(_ steps: [ScenarioStep], _ differences: [String]) -> Markup {
        var lines = steps[0].prompts.map { "asked for \($0.kind): \($0.answer)" }
        if let refused = steps.first(where: { $0.explanation != nil }),
            let sentence = refused.explanation?.sentence
        {
            lines.append("\(refused.observed.name): \(sentence)")
        }
        lines += differences
        return .element("td", ["class": "why"], text: lines.joined(separator: " · "))
    }
}
