// Source: the specification of the Test Anything Protocol, version 14.

/// Reports as a TAP stream, with a test point for each event of each run.
package struct TAPReport {
    private let reports: [ScenarioReport]

    package init(_ reports: [ScenarioReport]) { self.reports = reports }

    /// The whole stream.
    package var text: String {
        let points = reports.flatMap { report in
            report.runs.flatMap { run in run.steps.map { (report, run, $0) } }
        }
        var lines = ["TAP version 14", "1..\(points.count)"]
        for (index, (report, run, step)) in points.enumerated() {
            let mark = step.holds ? "ok" : "not ok"
            let title = "\(report.title) (\(run.label)): \(step.number). \(step.event)"
            lines.append("\(mark) \(index + 1) - \(Self.escaped(title))")
            if !step.holds { lines += Self.diagnosis(step) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func diagnosis(_ step: ScenarioStep) -> [String] {
        var lines = ["  ---"]
        if let expected = step.expected { lines.append("  expected: \(quoted(expected.words))") }
        lines.append("  observed: \(quoted(step.observed.words))")
        if let explanation = step.explanation {
            lines.append("  explanation: \(quoted(explanation.sentence))")
        }
        return lines + ["  ..."]
    }

    /// Returns the text with `#` escaped, because a `#` begins a directive.
    private static func escaped(_ text: String) -> String {
        oneLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    /// Returns a YAML text in single quotes.
    private static func quoted(_ text: String) -> String {
        "'" + oneLine(text).replacing("'", with: "''") + "'"
    }

    private static func oneLine(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        return scalars.joined()
    }
}

extension ScenarioStep.StatusFacts {
    /// The name and the number, such as `errSecParam (-50)`.
    package var words: String { "\(name) (\(code))" }
}
