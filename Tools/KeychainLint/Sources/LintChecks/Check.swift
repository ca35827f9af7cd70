import LintAnalysis
import LintModel
import LintRules
import SwiftSyntax

/// How one rule is found in a file.
struct Check: Sendable {
    let rule: String
    let run: @Sendable (FileAnalysis, inout Reporter) -> Void

    init(_ rule: String, run: @escaping @Sendable (FileAnalysis, inout Reporter) -> Void) {
        self.rule = rule
        self.run = run
    }

    /// A check of every dictionary by itself.
    static func uses(
        _ rule: String,
        run: @escaping @Sendable (QueryUse, FileAnalysis, inout Reporter) -> Void
    ) -> Check {
        Check(rule) { file, report in
            for use in file.uses { run(use, file, &report) }
        }
    }

    /// A check of every call of something by name.
    static func calls(
        _ rule: String,
        run: @escaping @Sendable (CallInfo, FileAnalysis, inout Reporter) -> Void
    ) -> Check {
        Check(rule) { file, report in
            for call in file.file.calls { run(call, file, &report) }
        }
    }

    /// Checks that read one file, in the order of the catalogue.
    static let all: [Check] =
        queries + accessibility + accessControl + itemClasses + statuses + reading + migration
        + sharing + macOS + secrets + hygiene + cryptography + values + trust
}

/// How one rule is found in a project.
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

/// Collects the findings of the rule that runs.
struct Reporter {
    let configuration: Configuration
    let facts: ProjectFacts
    var rule = ""
    /// The file that nodes belong to.
    var file: ParsedFile?
    private(set) var findings: [Finding] = []

    init(facts: ProjectFacts) {
        self.facts = facts
        configuration = facts.project.configuration
    }

    /// Reports a node, with `what` is wrong there; without it with the rule's own reason.
    ///
    /// The `advice` replaces that of the rule where it does not fit.
    /// The `subjects` are the calls and literals that the finding is about, besides the node.
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

    /// Reports a place, for files that are no Swift.
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
