import Foundation

/// A check for migrated items that have disappeared, for example after a restore to another device.
///
/// The keychain only returns `errSecItemNotFound`. The journal knows which items existed.
///
/// ```swift
/// let check = LossCheck(journal: FileJournal(file: journal))
/// try check.run { lost in print("\(lost.count) items are lost") }
/// ```
/// - Source: Keychain access control guide, Mistake 3.
public struct LossCheck: Sendable {
    private let keychain: any Keychain
    private let journal: any MigrationJournal

    /// Creates a check of the items that a journal names.
    public init(keychain: any Keychain = ServicesKeychain(), journal: any MigrationJournal) {
        self.keychain = keychain
        self.journal = journal
    }

    /// Calls a closure once with the lost items; later checks report later losses only.
    ///
    /// A locked item does not count as lost.
    ///
    /// - Throws: ``MigrationProblem``.
    public func run(
        now: Date = Date(),
        hook: ([ItemAddress]) -> Void
    ) throws(MigrationProblem) {
        var lost: [JournalEntry] = []
        do throws(JournalFailure) {
            lost = try journal.entries().values.filter { $0.stage == .done || $0.stage == .kept }
        } catch { throw .journal(error) }
        do throws(KeychainFailure) {
            var missing: [JournalEntry] = []
            for entry in lost where try !keychain.exists(entry.target) { missing.append(entry) }
            lost = missing
        } catch { throw .keychain(error) }
        guard !lost.isEmpty else { return }
        lost.sort { $0.id < $1.id }
        do throws(JournalFailure) {
            for entry in lost {
                let told = JournalEntry(
                    id: entry.id,
                    stage: .reported,
                    target: entry.target,
                    date: now
                )
                try journal.record(told)
            }
        } catch { throw .journal(error) }
        hook(lost.map(\.target))
    }
}
