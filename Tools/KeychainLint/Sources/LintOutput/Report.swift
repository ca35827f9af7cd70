import LintModel
import LintRules

/// What a run found, ready to be written.
package struct Report: Sendable {
    /// Everything, suppressed findings and notes among it.
    package let findings: [Finding]
    /// The text of each file that has a finding.
    package let sources: [String: SourceText]
    /// Every Swift file, with whether it tests something.
    package let files: [(source: SourceText, isTest: Bool)]
    /// How many of the dictionaries at calls are known completely, and how many there are.
    package let resolved: (known: Int, all: Int)
    /// What is wrong with comments to the linter.
    package let invalidComments: [CommentProblem]
    /// What is below the paths and was not read.
    package let skipped: [SkippedPath]

    package init(
        findings: [Finding],
        sources: [String: SourceText],
        files: [(source: SourceText, isTest: Bool)],
        resolved: (known: Int, all: Int),
        invalidComments: [CommentProblem],
        skipped: [SkippedPath] = []
    ) {
        self.findings = findings
        self.sources = sources
        self.files = files
        self.resolved = resolved
        self.invalidComments = invalidComments
        self.skipped = skipped
    }

    /// What counts: nothing that a comment suppresses.
    package var active: [Finding] { findings.filter { $0.suppression == nil } }

    package func count(_ severity: Severity) -> Int {
        active.count { $0.severity == severity }
    }

    package var hasErrors: Bool { count(.error) > 0 }
}

/// The forms of a report.
package enum Format: String, Sendable, CaseIterable {
    case text, json, sarif, annotations
}
