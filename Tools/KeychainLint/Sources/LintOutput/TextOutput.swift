import LintModel
import LintRules

/// A report for people: the line of each finding with a caret below it.
package struct TextOutput: Sendable {
    private let usesColors: Bool
    private let showsNotes: Bool

    package init(usesColors: Bool, showsNotes: Bool) {
        self.usesColors = usesColors
        self.showsNotes = showsNotes
    }

    package func render(_ report: Report) -> String {
        let shown = report.active.filter { showsNotes || $0.severity > .note }
        var lines = shown.flatMap { render($0, report) }
        for problem in report.invalidComments {
            let place = "\(problem.place.file.visiblePath):\(problem.place.line)"
            let severity = paint("warning", .warning)
            let message = problem.message.visible
            lines.append("\(place): \(severity): \(message) [\(CommentProblem.name)]")
        }
        lines.append(summary(report))
        if let line = SkippedPath.line(about: report.skipped) { lines.append(line) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func render(_ finding: Finding, _ report: Report) -> [String] {
        let place = finding.place
        let name = Catalogue.byID[finding.rule]?.name ?? ""
        let severity = paint(finding.severity.rawValue, finding.severity)
        var lines = [
            "\(place.file.visiblePath):\(place.line):\(place.column): \(severity): "
                + "\(finding.message.visible) [\(finding.rule) \(name)]"
        ]
        if let source = report.sources[place.file] {
            lines += excerpt(place, source, finding.severity)
        }
        for related in finding.related {
            let place = "\(related.place.file.visiblePath):\(related.place.line)"
            lines.append("    \(place): \(related.message.visible)")
        }
        return lines
    }

    /// Returns the line and a caret; tabs stay tabs, so that the caret is in the right column.
    private func excerpt(_ place: Place, _ source: SourceText, _ severity: Severity) -> [String] {
        let line = String(source.line(place.line)).visible
        let number = String(place.line)
        let gutter = String(repeating: " ", count: number.count)
        let before = line.unicodeScalars.prefix(place.column - 1)
        let indent = String(before.map { $0 == "\t" ? "\t" : " " })
        let end = place.endLine == place.line ? place.endColumn : line.unicodeScalars.count + 1
        let tildes = String(repeating: "~", count: max(0, min(end - place.column - 1, 80)))
        return ["  \(number) | \(line)", "  \(gutter) | \(indent)\(paint("^" + tildes, severity))"]
    }

    private func paint(_ text: String, _ severity: Severity) -> String {
        guard usesColors else { return text }
        let code =
            switch severity {
            case .error: 31
            case .warning: 33
            case .note: 36
            }
        return "\u{1B}[1;\(code)m\(text)\u{1B}[0m"
    }

    private func summary(_ report: Report) -> String {
        let errors = Self.count(report.count(.error), "error")
        let warnings = Self.count(report.count(.warning), "warning")
        let notes = Self.count(report.count(.note), "note")
        let suppressed = report.findings.count - report.active.count
        var text = "\(Self.count(report.files.count, "file")): \(errors), \(warnings), \(notes)"
        if suppressed > 0 { text += ", \(suppressed) suppressed" }
        if !report.invalidComments.isEmpty {
            text += ", \(Self.count(report.invalidComments.count, "invalid suppression"))"
        }
        if report.resolved.all > 0 {
            text += "; \(report.resolved.known) of \(report.resolved.all) dictionaries resolved"
        }
        return text + "."
    }

    private static func count(_ number: Int, _ word: String) -> String {
        "\(number) \(word)\(number == 1 ? "" : "s")"
    }
}
