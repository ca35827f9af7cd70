import KeychainCommand
import ScenarioRunner

/// Reports as text: expected and observed results side by side, and reasons of failures.
struct ReportPage {
    private let reports: [ScenarioReport]

    init(_ reports: [ScenarioReport]) { self.reports = reports }

    var page: Page {
        var page = Page()
        for (index, report) in reports.enumerated() {
            if index > 0 { page.append(raw: "\n") }
            page.append(line: report.title)
            page.append(TextTable.page([Self.heads(report)] + Self.rows(report)))
            for line in Self.reasons(report) { page.append(line: line) }
        }
        return page
    }

    private static func heads(_ report: ScenarioReport) -> [String] {
        let columns = report.runs.flatMap { run in
            [heading(of: run), "OBSERVED"]
        }
        return ["", "TIME"] + (report.hasDevices ? ["DEVICE"] : []) + ["EVENT"] + columns
    }

    /// Returns the heading over the expected statuses of a run.
    private static func heading(of run: ScenarioRun) -> String {
        switch (run.column, run.behavior) {
        case (.device, nil): "EXPECTED"
        case (.device, let behavior?): behavior.rawValue
        case (.iOSSimulator, nil): "SIMULATOR"
        case (.iOSSimulator, let behavior?): "SIMULATOR, \(behavior.rawValue)"
        }
    }

    private static func rows(_ report: ScenarioReport) -> [[String]] {
        guard let first = report.runs.first else { return [] }
        return first.steps.indices.map { index in
            let steps = report.runs.map { $0.steps[index] }
            let differences = report.differences(at: index)
            let mark = steps.allSatisfy(\.holds) ? "ok" : "FAILED"
            let numbers = steps.flatMap { step in
                [step.expected.map { String($0.code) } ?? "anything", String(step.observed.code)]
            }
            let place = report.hasDevices ? [steps[0].device] : []
            return ["  " + mark, steps[0].at.seconds] + place
                + ["\(index + 1). \(steps[0].event)"] + numbers
                + (differences.isEmpty ? [] : [differences.joined(separator: "; ")])
        }
    }

    /// Returns a line for every failure in the first run, and for every expectation that failed.
    private static func reasons(_ report: ScenarioReport) -> [String] {
        report.runs.enumerated().flatMap { index, run in
            run.steps.filter { index == 0 || !$0.holds }.compactMap { step in
                step.explanation.map { explanation in
                    // With several runs, the line names its run.
                    let place = report.runs.count > 1 ? " (\(run.heading))" : ""
                    return "  \(step.number)\(place): \(step.observed.words): "
                        + explanation.sentence
                }
            }
        }
    }
}
