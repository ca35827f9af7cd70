import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import Secrets
import Synchronization

/// A keychain in memory, with its own clock and keys, which can be reset to an earlier state.
final class FakeKeychain: SyncedKeychain {
    /// The content of a backup.
    struct Content: Sendable {
        fileprivate var rows: [ItemName: SyncedItem] = [:]
        fileprivate var records: [[UInt8]: [UInt8]] = [:]
        fileprivate var mark: UInt64 = 0
    }

    private let random: SeededRandom
    private let content = Mutex(Content())
    private let keys = Mutex<SoftwareSigner?>(nil)
    private let seconds = Mutex(0.0)
    private let killCountdown = Mutex<Int?>(nil)

    init(_ random: SeededRandom) { self.random = random }

    /// Seconds since 2001.
    var now: Double {
        get { seconds.withLock { $0 } }
        set { seconds.withLock { $0 = newValue } }
    }

    /// The number of transactions until the process is killed; nil for no kill.
    var killsAfter: Int? {
        get { killCountdown.withLock { $0 } }
        set { killCountdown.withLock { $0 = newValue } }
    }

    var backup: Content {
        get { content.withLock { $0 } }
        set {
            content.withLock { content in
                let mark = content.mark
                content = newValue
                content.mark = mark + 1
            }
        }
    }

    // MARK: Operations of the user

    /// Changes an item; its date may be far from the present time.
    func edit(_ item: ItemName, _ value: [UInt8], date: Double? = nil) throws {
        let digest = try Digest.sha256(Array("item".utf8) + value)
        var row = row(item, digest, value)
        row.modified = date ?? now
        put(row)
    }

    func delete(_ item: ItemName) throws {
        guard value(of: item) != nil else { return }
        let tombstone = ItemContent(
            classLetters: ItemClass.genericPassword.rawValue,
            protection: ProtectionClass.whenUnlocked.rawValue,
            isTombstone: true,
            attributes: [],
            value: nil
        )
        put(row(item, try tombstone.tombstoneDigest().bytes, nil))
    }

    /// Removes the item without a tombstone.
    func lose(_ item: ItemName) {
        content.withLock { content in
            content.rows[item] = nil
            content.mark += 1
        }
    }

    func value(of item: ItemName) -> [UInt8]? {
        content.withLock { $0.rows[item]?.value?.secret.copyBytesUnprotected() }
    }

    private func put(_ item: SyncedItem) {
        content.withLock { content in
            content.rows[ItemName(unchecked: item.name)] = item
            content.mark += 1
        }
    }

    private func row(_ item: ItemName, _ digest: [UInt8], _ value: [UInt8]?) -> SyncedItem {
        SyncedItem(
            name: item.bytes,
            digest: digest,
            itemClass: .genericPassword,
            protection: .whenUnlocked,
            isTombstone: value == nil,
            modified: now,
            attributes: [],
            value: value.map { SharedSecret(Secret(copying: $0)) },
            replaces: nil
        )
    }

    // MARK: Operations of synchronization

    func mark() throws(SyncFailure) -> UInt64 { content.withLock { $0.mark } }

    func isLocked() throws(SyncFailure) -> Bool { false }

    func scan() throws(SyncFailure) -> KeychainScan {
        content.withLock { content in
            KeychainScan(mark: content.mark, items: content.rows.values.map(LocalItem.init))
        }
    }

    func contents(of items: [ItemName]) throws(SyncFailure) -> [ItemName: SyncedItem] {
        content.withLock { content in
            var found: [ItemName: SyncedItem] = [:]
            for item in items { found[item] = content.rows[item] }
            return found
        }
    }

    func verify(_ changes: [ItemChange]) throws(SyncFailure) -> Bool { true }

    func apply(
        _ items: [SyncedItem],
        keeping records: [SyncRecord]
    ) throws(SyncFailure) -> SyncOutcome? {
        let isKilled = killCountdown.withLock { count in
            guard let left = count else { return false }
            count = left - 1
            return left <= 0
        }
        if isKilled { throw .keychain(KeychainError(.notAvailable, "killed")) }
        let now = now
        return content.withLock { content -> SyncOutcome? in
            for item in items {
                let present = content.rows[ItemName(unchecked: item.name)]
                guard present?.digest == item.replaces || present?.digest == item.digest else {
                    return nil
                }
            }
            let before = content.mark
            for var item in items {
                item.modified = now
                content.rows[ItemName(unchecked: item.name)] = item
            }
            if !items.isEmpty { content.mark += 1 }
            for record in records { content.records[record.key] = record.value }
            var outcome = SyncOutcome()
            outcome.markBefore = before
            outcome.mark = content.mark
            return outcome
        }
    }

    func records(_ prefix: [UInt8]) throws(SyncFailure) -> [SyncRecord] {
        content.withLock { content in
            content.records.filter { $0.key.starts(with: prefix) }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { SyncRecord(key: $0.key, value: $0.value) }
        }
    }

    func forget() throws(SyncFailure) { content.withLock { $0.records = [:] } }

    var exchangedClasses: [String] { [ItemClass.genericPassword.rawValue] }

    func signer() throws(SyncFailure) -> (any PeerSigner)? { keys.withLock { $0 } }

    func makeSigner() throws(SyncFailure) -> any PeerSigner {
        do {
            let made = try random.signer()
            keys.withLock { $0 = made }
            return made
        } catch { throw .damagedState("\(error)") }
    }

    func removeSigner() throws(SyncFailure) { keys.withLock { $0 = nil } }

    func makeSeal(
        _ random: any RandomSource
    ) throws(SyncFailure) -> (RecordSeal, SyncRecord) {
        (try openSeal([1], random), SyncRecord(key: RecordSeal.keyRecord, value: [1]))
    }

    func openSeal(
        _ record: [UInt8],
        _ random: any RandomSource
    ) throws(SyncFailure) -> RecordSeal {
        let key = SharedSecret(Secret(copying: [UInt8](repeating: 1, count: 32)))
        return try RecordSeal(key, random)
    }
}
