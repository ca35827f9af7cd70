import Foundation
import KeychainMigration
import KeychainModel
import MigrationCommand

/// Lets so many effects pass; the next one, and all after it, do not happen.
///
/// To a migration this is a kill: nothing that it does from then on has any effect.
/// `@unchecked Sendable`: every access to the count holds the lock.
final class Fuse: @unchecked Sendable {
    private let lock = NSLock()
    private var rest: Int
    private(set) var hasBlown = false

    init(effects: Int) { rest = effects }

    /// Takes one effect off; false when it must not happen.
    func allows() -> Bool {
        lock.withLock {
            rest -= 1
            hasBlown = hasBlown || rest < 0
            return !hasBlown
        }
    }
}

/// A keychain whose writes go through a fuse.
struct FusedKeychain: Keychain {
    let keychain = ServicesKeychain()
    let fuse: Fuse

    func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        try keychain.read(address)
    }

    func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        try keychain.exists(address)
    }

    func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        try keychain.list(scope, gated: gated)
    }

    func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        try keychain.hasGatedItems(scope)
    }

    func add(_ item: KeychainItem) throws(KeychainFailure) {
        guard fuse.allows() else { throw KeychainFailure(.add, status: -25291) }
        try keychain.add(item)
    }

    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        guard fuse.allows() else { throw KeychainFailure(.update, status: -25291) }
        try keychain.update(address, change)
    }

    func delete(_ address: ItemAddress) throws(KeychainFailure) {
        guard fuse.allows() else { throw KeychainFailure(.delete, status: -25291) }
        try keychain.delete(address)
    }

    func delete(_ item: KeychainItem) throws(KeychainFailure) {
        guard fuse.allows() else { throw KeychainFailure(.delete, status: -25291) }
        try keychain.delete(item)
    }

    func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        guard fuse.allows() else { throw KeychainFailure(.delete, status: -25291) }
        try keychain.deleteAll(scope)
    }
}

/// A journal whose entries go through a fuse.
struct FusedJournal: MigrationJournal {
    let journal: FileJournal
    let fuse: Fuse

    func entries() throws(JournalFailure) -> [String: JournalEntry] { try journal.entries() }

    func record(_ entry: JournalEntry) throws(JournalFailure) {
        guard fuse.allows() else { throw JournalFailure.unwritable("fuse") }
        try journal.record(entry)
    }
}

/// A file whose changes go through a fuse.
struct FusedSource: LegacySource {
    let source: any LegacySource
    let fuse: Fuse

    var name: String { source.name }
    var trust: SourceTrust { source.trust }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? { try source.read(key) }

    func delete(_ key: String) throws(SourceFailure) {
        guard fuse.allows() else { throw SourceFailure(.undeletable, "fuse") }
        try source.delete(key)
    }
}

extension MigrateCommand.Surroundings {
    /// A home whose every effect goes through a fuse; the journal is a file that outlives the run.
    static func fused(home: String, _ fuse: Fuse) -> MigrateCommand.Surroundings {
        let file = URL(filePath: home).appending(path: "journal")
        return MigrateCommand.Surroundings(
            home: home,
            keychain: FusedKeychain(fuse: fuse),
            journal: { () throws(KeychainError) in
                FusedJournal(journal: FileJournal(file: file), fuse: fuse)
            },
            between: { FusedSource(source: $0, fuse: fuse) }
        )
    }
}
