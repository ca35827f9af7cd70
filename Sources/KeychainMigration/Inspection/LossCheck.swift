import Foundation

/// Notices that items which were migrated are gone, as after a restore to another device.
///
/// The keychain says no more than -25300; the journal knows what there was.
/// - Source: Keychain access control guide, Mistake 3.
public struct LossCheck: Sendable {
    private let keychain: any Keychain
    private let journal: any MigrationJournal

    /// A check of what a journal tells of.
    public init(keychain: any Keychain = ServicesKeychain(), journal: any MigrationJournal) {
        self.keychain = keychain
        self.journal = journal
    }

    /// Calls a hook with the items that are gone, once; later checks tell of later losses only.
    ///
    /// An item that is out of reach is not gone.
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
