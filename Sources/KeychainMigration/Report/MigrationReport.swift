import Foundation

/// A report on an operation: which values, from where, to where, and the outcomes.
///
/// It contains no value, so you can print, log and encode it.
///
/// ```swift
/// let report = mover.run(moves)
/// print(report)
/// for line in report.problems { print(line.what, line.outcome) }
/// ```
public struct MigrationReport: Codable, Hashable, Sendable {
    /// The part of a report about one value.
    ///
    /// ```swift
    /// let names = report.lines.filter { $0.outcome == .moved }.map(\.what)
    /// ```
    public struct Line: Codable, Hashable, Sendable {
        /// The value's name, its key in the old store.
        public var what: String
        /// The old store.
        public var from: String
        /// The new place.
        public var to: String
        /// The outcome.
        public var outcome: MoveOutcome

        /// Creates a line of a report.
        public init(what: String, from: String, to: String, outcome: MoveOutcome) {
            self.what = what
            self.from = from
            self.to = to
            self.outcome = outcome
        }
    }

    /// Whether the report is a plan and nothing was changed.
    public var isDryRun: Bool
    /// One line for each value, in the order of the work.
    public var lines: [Line]
    /// Sentences about what you should do or know.
    public var advice: [String]

    /// Creates a report, by default an empty one.
    public init(isDryRun: Bool = false, lines: [Line] = [], advice: [String] = []) {
        self.isDryRun = isDryRun
        self.lines = lines
        self.advice = advice
    }

    /// Whether nothing remains to be done for any line.
    public var isComplete: Bool { lines.allSatisfy(\.outcome.isSettled) }

    /// The reason why work was deferred, or nil if none was.
    public var deferralReason: String? {
        for case .deferred(let reason) in lines.map(\.outcome) { return reason }
        return nil
    }

    /// The lines for which something remains to be done.
    public var problems: [Line] { lines.filter { !$0.outcome.isSettled } }

    /// Returns this report followed by another.
    public func appending(_ other: MigrationReport) -> MigrationReport {
        MigrationReport(
            isDryRun: isDryRun || other.isDryRun,
            lines: lines + other.lines,
            advice: advice + other.advice.filter { !advice.contains($0) }
        )
    }
}

/// The outcome for one value.
///
/// ```swift
/// if case .failed(let problem) = line.outcome { print(problem) }
/// ```
public enum MoveOutcome: Codable, Hashable, Sendable {
    /// The value is in the new place and removed from the old one.
    case moved
    /// The value is in the new place; the old store keeps its copy until the late clean-up.
    case movedKeepingOriginal
    /// The value was in the new place already.
    case alreadyThere
    /// Neither place has such a value.
    case nothingThere
    /// The item was changed in place.
    case changed
    /// The item was removed.
    case removed
    /// The item remains unchanged, for this reason.
    case kept(String)
    /// A dry run: this would happen.
    case planned(String)
    /// The keychain has another value under this name; both remain unchanged.
    case conflict
    /// Nothing was done, for this reason; the next run tries again.
    case deferred(String)
    /// The value cannot move, for this reason.
    case cannotMove(String)
    /// The value moved earlier, and neither place has it now.
    case lost
    /// The move failed; the old store keeps its value.
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
    /// The outcome in a few words.
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

/// The reason why a value did not arrive.
///
/// ```swift
/// if case .failed(.keychain(let failure)) = line.outcome { print(failure.status) }
/// ```
public enum MigrationProblem: Error, Codable, Hashable, Sendable {
    /// The keychain returned a failure.
    case keychain(KeychainFailure)
    /// The old store returned a failure.
    case source(SourceFailure)
    /// The journal returned a failure.
    case journal(JournalFailure)
    /// The keychain returned another value than the mover wrote.
    case verificationMismatch
    /// The old bytes could not be converted, for this reason.
    case transformation(String)
    /// The encrypted copy could not be stored, for this reason.
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
    /// The reason as a sentence, without any value.
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
    /// A table of the lines, followed by the advice.
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
