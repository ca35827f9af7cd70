import Foundation

/// The removal of old copies after the rollback window has passed.
///
/// It removes only the named values, and each only while the keychain holds its successor. The rest
/// of the defaults remains, including the flag of the first launch.
///
/// ```swift
/// let outcome = await DeferredCleanup(after: chain, leftovers: moves).run()
/// ```
/// - Source: Migration guide, Deferred Legacy Cleanup with Rollback Window.
public struct DeferredCleanup: Sendable {
    /// The outcome of a clean-up.
    ///
    /// ```swift
    /// if case .waiting(let end) = await cleanup.run() { print("the window is open until \(end)") }
    /// ```
    public enum Outcome: Codable, Hashable, Sendable {
        /// No migration is complete yet, or the clean-up is done already.
        case nothingToDo
        /// The window is open until this date.
        case waiting(until: Date)
        /// The window has passed; the report names what was removed.
        case cleaned(MigrationReport)
        /// The clean-up could not decide anything yet, for this reason.
        case deferred(reason: String)
        /// The date could not be read or removed.
        case failed(MigrationProblem)
    }

    private let mover: Mover
    private let dateAddress: ItemAddress
    private let leftovers: [Move]
    private let protectedData: any ProtectedData

    /// Creates the clean-up after a chain; `leftovers` are the moves whose old copies remain.
    public init(
        after chain: MigrationChain,
        leftovers: [Move] = []
    ) {
        mover = chain.mover
        dateAddress = chain.dateAddress
        protectedData = chain.protectedData
        self.leftovers = leftovers
    }

    /// Removes what is due, or reports what it would remove.
    public func run(now: Date = Date(), isDryRun: Bool = false) async -> Outcome {
        guard await protectedData.isAvailable() else {
            return .deferred(reason: "protected data is unavailable")
        }
        do throws(MigrationProblem) {
            guard let migration = try date() else { return .nothingToDo }
            let day = 86_400.0
            let end = migration.addingTimeInterval(Double(mover.retention.days) * day)
            guard now >= end else { return .waiting(until: end) }
            let report = try clean(now: now, isDryRun: isDryRun)
            if report.isComplete, !isDryRun { try forgetDate() }
            return .cleaned(report)
        } catch {
            return error.isLocked
                ? .deferred(reason: "the keychain is locked") : .failed(error)
        }
    }

    /// Returns the date on which the migration was completed; nil if it is incomplete or cleaned
    /// up.
    private func date() throws(MigrationProblem) -> Date? {
        let item: KeychainItem?
        do throws(KeychainFailure) {
            item = try mover.keychain.read(dateAddress)
        } catch { throw .keychain(error) }
        guard let value = item?.value else { return nil }
        let text = String(decoding: value.copyBytesUnprotected(), as: UTF8.self)
        guard let date = ISO8601DateFormatter().date(from: text) else {
            throw .transformation("the date of the migration is unreadable")
        }
        return date
    }

    private func forgetDate() throws(MigrationProblem) {
        do throws(KeychainFailure) {
            try mover.keychain.delete(dateAddress)
        } catch { throw .keychain(error) }
    }

    private func clean(now: Date, isDryRun: Bool) throws(MigrationProblem) -> MigrationReport {
        var report = MigrationReport(isDryRun: isDryRun)
        report.lines = leftovers.map { move in
            move.line(outcome(of: move, now: now, isDryRun: isDryRun))
        }
        report.lines += try removeCopies(now: now, isDryRun: isDryRun)
        if report.lines.contains(where: { $0.outcome == .removed }) {
            report.advice.append(MigrationReport.backupAdvice)
        }
        return report
    }

    private func outcome(of move: Move, now: Date, isDryRun: Bool) -> MoveOutcome {
        do throws(SourceFailure) {
            guard move.source.trust == .trusted else {
                return .deferred("the old store cannot be read reliably now")
            }
            guard try move.source.read(move.key) != nil else { return .nothingThere }
            guard try isInKeychain(move) else { return .kept("the keychain does not have it") }
            guard !isDryRun else { return .planned("remove") }
            try move.source.delete(move.key)
        } catch {
            return error.reason == .locked
                ? .deferred("the keychain is locked") : .failed(.source(error))
        }
        let target = move.target.address
        let entry = JournalEntry(id: move.id, stage: .done, target: target, date: now)
        do throws(JournalFailure) {
            try mover.journal.record(entry)
            return .removed
        } catch { return .failed(.journal(error)) }
    }

    private func isInKeychain(_ move: Move) throws(SourceFailure) -> Bool {
        do throws(KeychainFailure) {
            return try mover.keychain.read(move.target.address)?.value != nil
        } catch {
            throw SourceFailure(error.isLocked ? .locked : .unreadable, "keychain: \(error)")
        }
    }

    private func removeCopies(
        now: Date,
        isDryRun: Bool
    ) throws(MigrationProblem) -> [MigrationReport.Line] {
        guard let rollback = mover.rollback else { return [] }
        let end = now.addingTimeInterval(-Double(mover.retention.days) * 86_400)
        do throws(RollbackFailure) {
            let origins =
                isDryRun
                ? try rollback.origins().filter { $0.date <= end }
                : try rollback.removeCopies(madeBefore: end)
            return origins.map { origin in
                MigrationReport.Line(
                    what: origin.key,
                    from: "encrypted copy of \(origin.source)",
                    to: "nowhere",
                    outcome: isDryRun ? .planned("remove") : .removed
                )
            }
        } catch { throw .rollback(error.description) }
    }
}
