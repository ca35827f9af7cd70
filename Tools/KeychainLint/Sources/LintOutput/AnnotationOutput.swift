import LintModel
import LintRules

/// Lines that code hosts show beside the changed code: `::error file=…,line=…::message`.
package enum AnnotationOutput {
    package static func render(_ report: Report, showsNotes: Bool) -> String {
        let shown = report.active.filter { showsNotes || $0.severity > .note }
        return shown.map(line).joined() + report.invalidComments.map(line).joined()
    }

    private static func line(_ finding: Finding) -> String {
        let place = finding.place
        let command = finding.severity == .note ? "notice" : finding.severity.rawValue
        let title = property("\(finding.rule) \(Catalogue.byID[finding.rule]?.name ?? "")")
        return "::\(command) file=\(property(place.file)),line=\(place.line),col=\(place.column),"
            + "endLine=\(place.endLine),title=\(title)::\(data(finding.message))\n"
    }

    private static func line(_ problem: CommentProblem) -> String {
        "::warning file=\(property(problem.place.file)),line=\(problem.place.line),"
            + "title=\(CommentProblem.name)::\(data(problem.message))\n"
    }

    private static func data(_ text: String) -> String {
        escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    private static func property(_ text: String) -> String {
        escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    /// Replaces code points, because two of them can be one character, such as the line break of
    /// Windows.
    private static func escape(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.map { table[$0] ?? String($0).visible }.joined()
    }
}
