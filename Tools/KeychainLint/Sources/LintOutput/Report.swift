import LintModel
import LintRules

/// The results of a run, ready for output.
package struct Report: Sendable {
    /// All findings, including suppressed ones and notes.
    package let findings: [Finding]
    /// The text of each file that has a finding.
    package let sources: [String: SourceText]
    /// Every Swift file, and whether it contains tests.
    package let files: [(source: SourceText, isTest: Bool)]
    /// The number of dictionaries at calls that are known completely, and the number of calls.
    package let resolved: (known: Int, all: Int)
    /// The problems of comments to the linter.
    package let invalidComments: [CommentProblem]
    /// The paths below the given ones that were not read.
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

    /// The findings that no comment suppresses.
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
