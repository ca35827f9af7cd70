import KeychainCommand
import KeychainMigration
import KeychainModel

/// The report of a run about each secret, without values.
struct MigrationOutput {
    private let rows: [(secret: PlannedSecret, outcome: MoveOutcome)]
    private let home: String
    private let reportAdvice: [String]

    /// Joins the plans with their outcomes.
    ///
    /// The report has one line for each move, in order.
    init(plans: [PlannedSecret], report: MigrationReport, home: String) {
        var lines = report.lines[...]
        rows = plans.map { plan in
            switch plan.decision {
            case .report(let outcome): (plan, outcome)
            case .move: (plan, lines.popFirst()?.outcome ?? .nothingThere)
            }
        }
        self.home = home
        reportAdvice = report.advice
    }

    /// The report as a table.
    var page: Page {
        guard !rows.isEmpty else { return Page(line: "nothing to migrate was found") }
        let cells = rows.map { secret, outcome in
            [place(secret), secret.what, secret.to, Self.words(secret, outcome)]
        }
        return TextTable.page([["FROM", "WHAT", "TO", "OUTCOME"]] + cells)
    }

    /// The report as JSON.
    var json: JSONValue {
        .list(
            rows.map { secret, outcome in
                .object([
                    "from": .text(secret.from),
                    "line": secret.line.map { .number(Int64($0)) } ?? .null,
                    "what": .text(secret.what),
                    "to": .text(secret.to),
                    "outcome": .text(secret.isHandled ? outcome.word : "notHandled"),
                    "detail": .text(Self.words(secret, outcome)),
                ])
            }
        )
    }

    private static func words(_ secret: PlannedSecret, _ outcome: MoveOutcome) -> String {
        guard !secret.isHandled, case .kept(let reason) = outcome else {
            return outcome.description
        }
        return "found, not migrated: \(reason)"
    }

    private func place(_ secret: PlannedSecret) -> String {
        let path = secret.from
        let short = ResolvedPath.short(path, home: home)
        return short + (secret.line.map { ":\($0)" } ?? "")
    }

    /// Instructions for tools, and warnings about undeleted copies; in a dry run, as if it were
    /// real.
    var advice: [String] {
        let moved = rows.filter { $0.outcome.isMove }
        let ways = moved.compactMap(\.secret.toolInstructions)
        var known = Set<String>()
        return ways.filter { known.insert($0).inserted } + reportAdvice
    }

    /// The failure for the first secret that did not move; nil if all did.
    var failure: CommandFailure? {
        let problems = rows.filter { !$0.outcome.isSettled }
        guard let first = problems.first else { return nil }
        let files = problems.count { $0.secret.isWholeFile }
        let failed = problems.count - files
        let secrets = rows.filter { !$0.secret.isWholeFile }
        let kept = secrets.count { $0.outcome.keeps }
        var words: [String] = []
        if files > 0 {
            words.append(files == 1 ? "1 file stays as it is" : "\(files) files stay as they are")
        }
        if failed > 0 {
            let reasons = kept > 0 ? ": \(failed) could not move, \(kept) are kept" : ""
            words.append("\(failed + kept) of \(secrets.count) stay where they are\(reasons)")
        }
        let reason = words.joined(separator: ", and ") + "; see above"
        return .keychain(KeychainError(first.outcome.status, reason))
    }
}

extension MoveOutcome {
    /// Whether this run moved the value, or would move it.
    fileprivate var isMove: Bool {
        switch self {
        case .moved, .movedKeepingOriginal, .planned: true
        default: false
        }
    }

    /// Whether the old store keeps the value for a reason that is not a failure.
    fileprivate var keeps: Bool {
        guard case .kept = self else { return false }
        return true
    }

    /// The outcome as one word, for JSON.
    fileprivate var word: String {
        switch self {
        case .moved: "moved"
        case .movedKeepingOriginal: "copied"
        case .alreadyThere: "alreadyThere"
        case .nothingThere: "nothingThere"
        case .changed: "changed"
        case .removed: "removed"
        case .kept: "kept"
        case .planned: "planned"
        case .conflict: "conflict"
        case .deferred: "deferred"
        case .cannotMove: "cannotMove"
        case .lost: "lost"
        case .failed: "failed"
        }
    }

    /// The status with which the command ends.
    fileprivate var status: SecurityStatus {
        switch self {
        case .conflict: .duplicateItem
        case .deferred: .interactionNotAllowed
        case .lost: .itemNotFound
        case .cannotMove: .param
        case .failed(let problem): problem.securityStatus
        case .moved, .movedKeepingOriginal, .alreadyThere, .nothingThere, .changed, .removed, .kept,
            .planned:
            .success
        }
    }
}

extension MigrationProblem {
    fileprivate var securityStatus: SecurityStatus {
        switch self {
        case .keychain(let failure): SecurityStatus(rawValue: failure.status)
        case .source(let failure): failure.status
        case .journal, .rollback: .io
        case .verificationMismatch: .verifyFailed
        case .transformation: .param
        }
    }
}
