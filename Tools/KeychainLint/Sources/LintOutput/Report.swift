import LintModel
import LintRules

/// What a run found, ready to be written.
public struct Report: Sendable {
    /// Everything, suppressed findings and notes among it.
    public let findings: [Finding]
    /// The text of each file that has a finding.
    public let sources: [String: SourceText]
    /// Every Swift file, with whether it tests something.
    public let files: [(source: SourceText, isTest: Bool)]
    /// How many of the dictionaries at calls are known completely, and how many there are.
    public let resolved: (known: Int, all: Int)
    /// Comments to the linter that state no rule or no reason.
    public let invalidComments: [Place]

    public init(
        findings: [Finding],
        sources: [String: SourceText],
        files: [(source: SourceText, isTest: Bool)],
        resolved: (known: Int, all: Int),
        invalidComments: [Place]
    ) {
        self.findings = findings
        self.sources = sources
        self.files = files
        self.resolved = resolved
        self.invalidComments = invalidComments
    }

    /// What counts: nothing that a comment suppresses.
    public var active: [Finding] { findings.filter { $0.suppression == nil } }

    public func count(_ severity: Severity) -> Int {
        active.count { $0.severity == severity }
    }

    public var hasErrors: Bool { count(.error) > 0 }
}

/// The forms of a report.
public enum Format: String, Sendable, CaseIterable {
    case text, json, sarif, annotations
}
