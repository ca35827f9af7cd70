import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Applies the changes of other devices, in one transaction with the caller's records.
//
// Definitions  "replaced": the digest of the item that a change expects to replace.
// Invariants   (1) Either all changes apply or none: none if one item differs from the
//                  expected one.
//              (2) A changed item gets a new persistent reference.
//              (3) An item that does not open has nothing to lose: any change replaces it.
//
// Source: Documentation/Spec/sync.md §2, §8; requirements SYN-06, SYN-07, SYN-10.
extension ItemVault {
    mutating func apply(
        _ items: [SyncedItem],
        keeping records: [SyncRecord],
        _ session: inout DeviceSession
    ) throws(KeychainError) -> SynchronizationReply {
        guard records.allSatisfy(\.isWellFormed) else {
            throw KeychainError(.param, "a record's key or value is too large, or the key is empty")
        }
        var received: [ReceivedItem] = []
        for item in items { received.append(try ReceivedItem(item)) }
        let all = received
        var changes = SyncChanges()
        do throws(KeychainError) {
            try inTransaction(&session) { vault, session throws(KeychainError) in
                try vault.put(all, &changes, session)
                for record in records { try vault.store.keep(record) }
                try vault.advanceRowSum()
                changes.outcome.mark = try vault.rowMark()
            }
        } catch {
            guard !changes.conflicts.isEmpty else { throw error }
            return .conflict(changes.conflicts)
        }
        if changes.hasReplaced { store.removeEarlierValues() }
        return .applied(changes.outcome)
    }

    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; on a conflict, an
    ///   error that rolls the transaction back.
    private mutating func put(
        _ items: [ReceivedItem],
        _ changes: inout SyncChanges,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        changes = SyncChanges()
        changes.outcome.markBefore = try rowMark()
        guard !items.isEmpty else { return }
        try session.requireOpen(.whenUnlocked)
        for received in items {
            switch try put(received, session) {
            case .added, .same: changes.outcome.appliedCount += 1
            case .replaced:
                changes.outcome.appliedCount += 1
                changes.hasReplaced = true
            case .ignored: changes.outcome.ignored.append(received.synced.name)
            case .conflict: changes.conflicts.append(received.synced.name)
            }
        }
        guard changes.conflicts.isEmpty else {
            throw KeychainError(.notAvailable, "an item is not what was to be replaced")
        }
    }

    private mutating func put(
        _ received: ReceivedItem,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> PutResult {
        let item = received.item
        guard profiles.system.exchanges(item.itemClass) else { return .ignored }
        guard let row = try row(withPrimaryKeyOf: item) else {
            guard received.synced.replaces == nil else { return .conflict }
            try write(received, over: nil, session)
            return .added
        }
        switch try exchanged(row, session) {
        case .kept: return .ignored
        case .item(let present):
            if present.digest == received.synced.digest { return .same }
            guard present.digest == received.synced.replaces else { return .conflict }
        case .damaged: break
        }
        try write(received, over: row, session)
        return .replaced
    }

    private func row(withPrimaryKeyOf item: PlainItem) throws(KeychainError) -> SealedRow? {
        var filter = RowFilter(itemClass: item.itemClass)
        filter.primaryKeys = [try digests.primaryKey(of: item)]
        filter.synchronizable = .any
        filter.isTombstone = nil
        return try store.rows(filter, withSecrets: true).first
    }

    private mutating func write(
        _ received: ReceivedItem,
        over row: SealedRow?,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        var item = received.item
        // A reference promises one content, so even a new version of an item gets a new one.
        item.reference = try environment.newReference()
        let sealed =
            if let value = received.synced.value {
                try seal(item, secret: value.secret, session)
            } else {
                try sealMetadata(of: item, session)
            }
        try remember(accessGroup: item.accessGroup)
        let change =
            if let row {
                try store.replace(SealedRow(row: row.row, item: sealed))
            } else {
                try store.insert(sealed)
            }
        try note(change)
    }

    /// Removes the caller's records.
    mutating func forgetSynchronization(
        _ session: inout DeviceSession
    ) throws(KeychainError) {
        try inTransaction(&session) { vault, _ throws(KeychainError) in
            try vault.store.removeSyncRecords()
        }
    }
}

/// An item of another device whose attributes and digests were verified.
private struct ReceivedItem: Sendable {
    let item: PlainItem
    let synced: SyncedItem

    init(_ synced: SyncedItem) throws(KeychainError) {
        item = try PlainItem(receiving: synced)
        self.synced = synced
    }
}

/// The outcome for one item.
private enum PutResult { case added, replaced, same, ignored, conflict }

/// The outcome for all items.
private struct SyncChanges: Sendable {
    var outcome = SyncOutcome()
    var conflicts: [[UInt8]] = []
    /// Whether an earlier value has to be removed from the log.
    var hasReplaced = false
}
