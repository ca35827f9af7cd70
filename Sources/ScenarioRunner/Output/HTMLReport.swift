/// Reports as one self-contained page: nothing is loaded, and no script runs.
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
            [ReportStyle.patterns, heading(title), Legend.markup] + reports.map(section)
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
        return .element(
            "header",
            [:],
            [
                .element("h1", text: title),
                .element("p", ["class": failures == 0 ? "verdict" : "verdict bad"], text: verdict),
            ]
        )
    }

    private func section(_ report: ScenarioReport) -> Markup {
        var parts: [Markup] = []
        if reports.count > 1 { parts.append(.element("h2", text: report.title)) }
        parts += report.runs.map { timeLine($0, of: report) }
        parts.append(ReportTable(report).markup)
        return .element("section", [:], parts)
    }

    private func timeLine(_ run: ScenarioRun, of report: ScenarioReport) -> Markup {
        let line = TimeLine(run)
        let facts = run.devices.map { "\($0.name): \($0.system), \($0.behavior)" }
        let caption = facts.joined(separator: " · ")
        return .element(
            "figure",
            [:],
            [
                .element("figcaption", text: caption),
                .element(
                    "div",
                    ["class": "line"],
                    [
                        line.labels(),
                        .element(
                            "div",
                            [
                                "class": "scroll", "tabindex": "0", "role": "region",
                                "aria-label": "time line, scrolls sideways",
                            ],
                            [line.rows(title: "\(report.title), \(caption)")]
                        ),
                    ]
                ),
            ]
        )
    }
}

/// What the colours and patterns mean.
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
            [swatch("key", nil), .text("a class key in memory (TDO: ThisDeviceOnly)")]
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
