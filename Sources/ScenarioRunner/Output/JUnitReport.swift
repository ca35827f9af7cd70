/// Reports as JUnit XML: a test suite for each run, a test case for each event.
package struct JUnitReport {
    private let reports: [ScenarioReport]

    package init(_ reports: [ScenarioReport]) { self.reports = reports }

    /// The whole document.
    package var text: String {
        let runs = reports.flatMap { report in report.runs.map { (report, $0) } }
        let all = runs.flatMap(\.1.steps)
        let suites = runs.map { report, run in Self.suite(report, run) }
        let root = Markup.element(
            "testsuites",
            ["tests": "\(all.count)", "failures": "\(all.count { !$0.holds })"],
            suites
        )
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.source + "\n"
    }

    private static func suite(_ report: ScenarioReport, _ run: ScenarioRun) -> Markup {
        .element(
            "testsuite",
            [
                "name": "\(report.title) (\(run.label))",
                "tests": "\(run.steps.count)",
                "failures": "\(run.steps.count { !$0.holds })",
                "errors": "0",
                "skipped": "0",
            ],
            run.steps.map { point($0, in: "\(report.title).\(run.label)") }
        )
    }

    private static func point(_ step: ScenarioStep, in suite: String) -> Markup {
        .element(
            "testcase",
            ["name": "\(step.number). \(step.event)", "classname": suite, "time": "0"],
            step.holds ? [] : [failure(step)]
        )
    }

    private static func failure(_ step: ScenarioStep) -> Markup {
        let expected = step.expected?.words ?? "anything"
        return .element(
            "failure",
            ["message": "expected \(expected), observed \(step.observed.words)"],
            text: step.explanation?.sentence ?? ""
        )
    }
}
