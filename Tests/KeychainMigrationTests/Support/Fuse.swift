import Foundation
import KeychainMigration

/// Kills a run after so many effects: what comes later does nothing, as if there were no process.
///
/// After each effect it looks whether the world still is as it must be.
///
/// `@unchecked Sendable`: every access to its state holds its lock.
final class Fuse: @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Int
    private var used = 0
    private let afterEffect: @Sendable () -> Void

    init(limit: Int = .max, afterEffect: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.afterEffect = afterEffect
    }

    /// How many effects there were.
    var count: Int { lock.withLock { used } }
    /// Whether the run has been killed.
    var isBurnt: Bool { lock.withLock { used >= limit } }

    /// Whether one more effect may happen.
    func burn() -> Bool {
        lock.withLock {
            guard used < limit else { return false }
            used += 1
            return true
        }
    }

    func happened() { afterEffect() }
}

/// A keychain whose process can be killed.
struct FusedKeychain: Keychain {
    let base: any Keychain
    let fuse: Fuse
    private let dead = KeychainFailure(.add, status: -9)

    init(_ base: any Keychain, _ fuse: Fuse) {
        self.base = base
        self.fuse = fuse
    }

    func read(_ address: ItemAddress) throws(KeychainFailure) -> KeychainItem? {
        guard !fuse.isBurnt else { throw dead }
        return try base.read(address)
    }

    func exists(_ address: ItemAddress) throws(KeychainFailure) -> Bool {
        guard !fuse.isBurnt else { throw dead }
        return try base.exists(address)
    }

    func list(
        _ scope: ItemScope,
        gated: GatedItems
    ) throws(KeychainFailure) -> [KeychainItem] {
        guard !fuse.isBurnt else { throw dead }
        return try base.list(scope, gated: gated)
    }

    func hasGatedItems(_ scope: ItemScope) throws(KeychainFailure) -> Bool {
        guard !fuse.isBurnt else { throw dead }
        return try base.hasGatedItems(scope)
    }

    func add(_ item: KeychainItem) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.add(item)
        fuse.happened()
    }

    func update(_ address: ItemAddress, _ change: ItemChange) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.update(address, change)
        fuse.happened()
    }

    func delete(_ address: ItemAddress) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.delete(address)
        fuse.happened()
    }

    func delete(_ item: KeychainItem) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.delete(item)
        fuse.happened()
    }

    func deleteAll(_ scope: ItemScope) throws(KeychainFailure) {
        guard fuse.burn() else { throw dead }
        try base.deleteAll(scope)
        fuse.happened()
    }
}

/// An old store whose process can be killed.
struct FusedSource: LegacySource {
    let base: any LegacySource
    let fuse: Fuse

    init(_ base: any LegacySource, _ fuse: Fuse) {
        self.base = base
        self.fuse = fuse
    }

    var name: String { base.name }
    var trust: SourceTrust { base.trust }

    func read(_ key: String) throws(SourceFailure) -> LegacyValue? {
        guard !fuse.isBurnt else { throw SourceFailure(.unreadable, "killed") }
        return try base.read(key)
    }

    func delete(_ key: String) throws(SourceFailure) {
        guard fuse.burn() else { throw SourceFailure(.undeletable, "killed") }
        try base.delete(key)
        fuse.happened()
    }
}

/// A journal whose process can be killed.
struct FusedJournal: MigrationJournal {
    let base: any MigrationJournal
    let fuse: Fuse

    init(_ base: any MigrationJournal, _ fuse: Fuse) {
        self.base = base
        self.fuse = fuse
    }

    func entries() throws(JournalFailure) -> [String: JournalEntry] {
        guard !fuse.isBurnt else { throw .unreadable("killed") }
        return try base.entries()
    }

    func record(_ entry: JournalEntry) throws(JournalFailure) {
        guard fuse.burn() else { throw .unwritable("killed") }
        try base.record(entry)
        fuse.happened()
    }
}
