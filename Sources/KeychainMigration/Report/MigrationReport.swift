import Foundation

/// What an operation did, or would do: what, from where, to where, and how it ended.
///
/// It can be printed, logged and encoded: no value is in it.
public struct MigrationReport: Codable, Hashable, Sendable {
    /// One value.
    public struct Line: Codable, Hashable, Sendable {
        /// The value's name: the key in the old store.
        public var what: String
        /// The old store.
        public var from: String
        /// The new place.
        public var to: String
        /// How it ended.
        public var outcome: MoveOutcome

        /// A line of a report.
        public init(what: String, from: String, to: String, outcome: MoveOutcome) {
            self.what = what
            self.from = from
            self.to = to
            self.outcome = outcome
        }
    }

    /// Whether this is a plan: nothing was changed.
    public var isDryRun: Bool
    /// One line per value, in the order of the work.
    public var lines: [Line]
    /// Sentences about what remains to be done or known.
    public var advice: [String]

    /// A report; an empty one by default.
    public init(isDryRun: Bool = false, lines: [Line] = [], advice: [String] = []) {
        self.isDryRun = isDryRun
        self.lines = lines
        self.advice = advice
    }

    /// Whether every line stands for a value that is where it belongs.
    public var isComplete: Bool { lines.allSatisfy(\.outcome.isSettled) }

    /// Why the work was put off, if any of it was.
    public var deferralReason: String? {
        for case .deferred(let reason) in lines.map(\.outcome) { return reason }
        return nil
    }

    /// The lines that ended in a failure, a conflict or a loss.
    public var problems: [Line] { lines.filter { !$0.outcome.isSettled } }

    /// This report followed by another.
    public func appending(_ other: MigrationReport) -> MigrationReport {
        MigrationReport(
            isDryRun: isDryRun || other.isDryRun,
            lines: lines + other.lines,
            advice: advice + other.advice.filter { !advice.contains($0) }
        )
    }
}

/// How moving one value ended.
public enum MoveOutcome: Codable, Hashable, Sendable {
    /// It is in its new place, and gone from the old one.
    case moved
    /// It is in its new place; the old one keeps its copy until the late clean-up.
    case movedKeepingOriginal
    /// It was in its new place already.
    case alreadyThere
    /// There is no such value in either place.
    case nothingThere
    /// It was changed in place.
    case changed
    /// It was removed.
    case removed
    /// It was left alone, for this reason.
    case kept(String)
    /// A dry run: this would happen.
    case planned(String)
    /// The keychain holds another value under this name; both are as they were.
    case conflict
    /// Nothing was done, for this reason; the next run tries again.
    case deferred(String)
    /// It cannot go along, for this reason.
    case cannotMove(String)
    /// It was moved once, and is in neither place now.
    case lost
    /// It failed; what was in the old store is there still.
    case failed(MigrationProblem)

    /// Whether nothing remains to be done for this value.
    public var isSettled: Bool {
        switch self {
        case .moved, .movedKeepingOriginal, .alreadyThere, .nothingThere, .changed, .removed,
            .kept, .planned:
            true
        case .conflict, .deferred, .cannotMove, .lost, .failed: false
        }
    }
}

extension MoveOutcome: CustomStringConvertible {
    /// A few words.
    public var description: String {
        switch self {
        case .moved: "moved"
        case .movedKeepingOriginal: "moved, original kept for now"
        case .alreadyThere: "already there"
        case .nothingThere: "nothing there"
        case .changed: "changed"
        case .removed: "removed"
        case .kept(let reason): "kept: \(reason)"
        case .planned(let action): "would \(action)"
        case .conflict: "conflict: the keychain holds another value"
        case .deferred(let reason): "deferred: \(reason)"
        case .cannotMove(let reason): "cannot move: \(reason)"
        case .lost: "lost: in neither place"
        case .failed(let problem): "failed: \(problem)"
        }
    }
}

/// Why a value did not arrive.
public enum MigrationProblem: Error, Codable, Hashable, Sendable {
    /// Keychain Services refused.
    case keychain(KeychainFailure)
    /// The old store refused.
    case source(SourceFailure)
    /// The journal refused.
    case journal(JournalFailure)
    /// The keychain returned another value than was written.
    case verificationMismatch
    /// The value could not be turned into what is to be stored.
    case transformation(String)
    /// The encrypted copy could not be kept.
    case rollback(String)

    /// Whether the keychain is out of reach only for now.
    public var isLocked: Bool {
        switch self {
        case .keychain(let failure): failure.isLocked
        case .source(let failure): failure.reason == .locked
        default: false
        }
    }
}

extension MigrationProblem: CustomStringConvertible {
    /// A sentence without any value.
    public var description: String {
        switch self {
        case .keychain(let failure): failure.description
        case .source(let failure): failure.description
        case .journal(let failure): failure.description
        case .verificationMismatch: "the keychain returned another value than was written"
        case .transformation(let reason): reason
        case .rollback(let reason): reason
        }
    }
}

extension MigrationReport: CustomStringConvertible {
    /// A table of what, from, to and outcome, then the advice.
    public var description: String {
        let head = ["what", "from", "to", "outcome"]
        let rows = [head] + lines.map { [$0.what, $0.from, $0.to, $0.outcome.description] }
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let table = rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ")
                .trimmingCharacters(in: .whitespaces)
        }
        let title = isDryRun ? ["dry run: nothing was changed"] : []
        return (title + table + advice).joined(separator: "\n")
    }
}
