/// Reports as one self-contained page, without external resources or scripts.
package struct HTMLReport {
    private let reports: [ScenarioReport]

    package init(_ reports: [ScenarioReport]) { self.reports = reports }

    /// The whole page.
    package var text: String {
        let title = reports.count == 1 ? reports[0].title : "\(reports.count) scenarios"
        let head = Markup.element(
            "head",
            [:],
            [
                .element("meta", ["charset": "utf-8"]),
                .element(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"]
                ),
                .element(
                    "meta",
                    [
                        "http-equiv": "Content-Security-Policy",
                        "content": "default-src 'none'; style-src 'unsafe-inline'",
                    ]
                ),
                .element("title", text: title),
                Markup(source: "<style>\(ReportStyle.sheet)</style>"),
            ]
        )
        let body = Markup.element(
            "body",
            [:],
            [ReportStyle.patterns, heading(title), Legend.markup]
                + reports.indices.map(section)
        )
        let page = Markup.element("html", ["lang": "en"], [head, body])
        return "<!DOCTYPE html>\n" + page.source + "\n"
    }

    private func heading(_ title: String) -> Markup {
        let steps = reports.flatMap(\.runs).flatMap(\.steps)
        let failures = steps.count { !$0.holds }
        let verdict =
            failures == 0
            ? "All \(steps.count) expectations hold."
            : "\(failures) of \(steps.count) expectations do not hold."
        var parts = [
            Markup.element("h1", text: title),
            .element("p", ["class": failures == 0 ? "verdict" : "verdict bad"], text: verdict),
        ]
        let links = failureLinks()
        if !links.isEmpty { parts.append(.element("ul", ["class": "failures"], links)) }
        return .element("header", [:], parts)
    }

    /// Returns a link to each failed expectation's event on its time line.
    private func failureLinks() -> [Markup] {
        reports.enumerated().flatMap { index, report in
            report.runs.enumerated().flatMap { number, run in
                run.steps.filter { !$0.holds }.map { step in
                    let place = Self.name(index, number) + "-\(step.number)"
                    let run = report.runs.count > 1 ? " (\(run.heading))" : ""
                    let expected = step.expected?.words ?? "anything"
                    let words =
                        "\(step.number). \(step.event)\(run): expected \(expected), "
                        + "observed \(step.observed.words)"
                    let link = Markup.element("a", ["href": "#\(place)"], text: words)
                    let title = reports.count > 1 ? [Markup.text("\(report.title): ")] : []
                    return .element("li", [:], title + [link])
                }
            }
        }
    }

    /// Returns the prefix of element identifiers in one run.
    private static func name(_ report: Int, _ run: Int) -> String {
        "report-\(report + 1)-run-\(run + 1)"
    }

    private func section(_ index: Int) -> Markup {
        let report = reports[index]
        var parts: [Markup] = []
        if reports.count > 1 { parts.append(.element("h2", text: report.title)) }
        for (number, run) in report.runs.enumerated() {
            parts.append(timeLine(run, of: report, Self.name(index, number)))
        }
        parts.append(ReportTable(report, name: Self.name(index, 0)).markup)
        return .element("section", [:], parts)
    }

    private func timeLine(
        _ run: ScenarioRun,
        of report: ScenarioReport,
        _ name: String
    ) -> Markup {
        let facts = run.devices.map { "\($0.name): \($0.system), \($0.behavior)" }
        let caption = facts.joined(separator: " · ")
        let parts = TimeLine.parts(run, name: name).map { part in
            Markup.element(
                "div",
                ["class": "part"],
                [
                    .element(
                        "p",
                        ["class": part.cueStyle, "aria-hidden": "true"],
                        text: "\(part.eventWords); scroll sideways →"
                    ),
                    .element(
                        "div",
                        ["class": "line"],
                        [
                            part.labels(),
                            .element(
                                "div",
                                [
                                    "class": "scroll", "tabindex": "0", "role": "region",
                                    "aria-label": "time line of \(part.eventWords)",
                                ],
                                [part.rows(title: "\(report.title), \(caption)")]
                            ),
                        ]
                    ),
                ]
            )
        }
        return .element("figure", [:], [.element("figcaption", text: caption)] + parts)
    }
}

/// The explanation of colours and patterns.
private enum Legend {
    static var markup: Markup {
        let rows = ItemSample.Outcome.allCases.map { outcome in
            let look = OutcomeLook.of(outcome)
            return Markup.element(
                "li",
                [:],
                [swatch(outcome.rawValue, look.pattern), .text("\(look.words): \(look.meaning)")]
            )
        }
        let key = Markup.element(
            "li",
            [:],
            [swatch("key", nil), .text("a class key in memory")]
        )
        let mark = Markup.element(
            "li",
            [:],
            [
                Markup(
                    source: "<svg width=\"22\" height=\"16\" aria-hidden=\"true\">"
                        + "<g class=\"mark holds\"><circle cx=\"11\" cy=\"8\" r=\"5\"/></g></svg>"
                ),
                .text("a call on the item; point at it to see the result"),
            ]
        )
        return .element("ul", ["class": "legend"], rows + [key, mark])
    }

    private static func swatch(_ style: String, _ pattern: String?) -> Markup {
        let box = "x=\"1\" y=\"1\" width=\"20\" height=\"14\" rx=\"3\""
        let over = pattern.map { "<rect class=\"over \($0)\" \(box)/>" } ?? ""
        return Markup(
            source: "<svg width=\"22\" height=\"16\" aria-hidden=\"true\">"
                + "<rect class=\"cell \(style)\" \(box)/>\(over)</svg>"
        )
    }
}
