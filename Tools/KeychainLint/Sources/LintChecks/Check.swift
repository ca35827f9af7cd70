import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

/// The check of one rule in a file.
struct Check: Sendable {
    let rule: String
    let run: @Sendable (FileAnalysis, inout Reporter) -> Void

    init(_ rule: String, run: @escaping @Sendable (FileAnalysis, inout Reporter) -> Void) {
        self.rule = rule
        self.run = run
    }

    /// Makes a check of each dictionary.
    static func uses(
        _ rule: String,
        run: @escaping @Sendable (QueryUse, FileAnalysis, inout Reporter) -> Void
    ) -> Check {
        Check(rule) { file, report in
            for use in file.uses { run(use, file, &report) }
        }
    }

    /// Makes a check of each call by name.
    static func calls(
        _ rule: String,
        run: @escaping @Sendable (CallInfo, FileAnalysis, inout Reporter) -> Void
    ) -> Check {
        Check(rule) { file, report in
            for call in file.file.calls { run(call, file, &report) }
        }
    }

    /// All checks that read one file, in the order of the catalogue.
    static let all: [Check] =
        queries + accessibility + accessControl + itemClasses + statuses + reading + migration
        + sharing + macOS + secrets + hygiene + cryptography + values + trust
}

/// The check of one rule in a project.
struct ProjectCheck: Sendable {
    let rule: String
    let run: @Sendable (ProjectFacts, inout Reporter) -> Void

    init(_ rule: String, run: @escaping @Sendable (ProjectFacts, inout Reporter) -> Void) {
        self.rule = rule
        self.run = run
    }

    static let all: [ProjectCheck] =
        background + launch + project + groups + configuration + wrappedStatuses
}

/// A collection of findings, for the rule that runs.
struct Reporter {
    let configuration: Configuration
    let facts: ProjectFacts
    var rule = ""
    /// The file of the nodes.
    var file: ParsedFile?
    private(set) var findings: [Finding] = []

    init(facts: ProjectFacts) {
        self.facts = facts
        configuration = facts.project.configuration
    }

    /// Reports a node with a sentence `what`; without one, with the rule's own reason.
    ///
    /// The `advice` replaces that of the rule if it does not fit. The `subjects` are the calls and
    /// literals that the finding concerns, besides the node.
    mutating func report(
        _ node: some SyntaxProtocol,
        _ what: String? = nil,
        advice: String? = nil,
        severity: Severity? = nil,
        related: [(node: Syntax, text: String)] = [],
        subjects: [Int] = [],
        fixes: [TextEdit] = []
    ) {
        guard let file else { return }
        let notes = related.filter { $0.node.start != node.start }.map {
            Finding.Related(place: file.place($0.node), message: $0.text)
        }
        add(
            file.place(node),
            what,
            advice: advice,
            severity: severity,
            related: notes,
            subjects: [node.start] + subjects,
            fixes: fixes
        )
    }

    /// Reports a place, for files that are not Swift.
    mutating func add(
        _ place: Place,
        _ what: String? = nil,
        advice: String? = nil,
        severity: Severity? = nil,
        related: [Finding.Related] = [],
        subjects: [Int] = [],
        fixes: [TextEdit] = []
    ) {
        guard let row = Catalogue.byID[rule] else { return }
        findings.append(
            Finding(
                rule: rule,
                severity: severity ?? row.severity,
                message: "\(what ?? row.reason) \(advice ?? row.advice)",
                place: place,
                related: related,
                subjects: subjects,
                fixes: fixes
            )
        )
    }
}
