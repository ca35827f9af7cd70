import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// Definitions  "pass": reads the entries of the others, changes the keychain, and writes the
//              changes that the others lack.
// Invariants   (1) Items and the records about them change in one transaction.
//              (2) An entry is in the records before the relay gets it.
//              (3) If anything fails, the next pass begins from the records.

/// A keychain and its place in a circle.
///
/// Every call begins from the keychain's records, so different processes may call one after the
/// other. The caller makes sure that no two calls run at the same time.
///
/// ```swift
/// var device = SyncDevice(endpoint, now: clock)
/// let report = try device.pass(through: relay)
/// ```
package struct SyncDevice {
    /// Seconds since 2001.
    package typealias Clock = @Sendable () -> Double

    let keychain: any SyncedKeychain
    let random: any RandomSource
    let rules: MergeRules
    let now: Clock
    /// The state as it was last read or written; nil if it has to be read again.
    var state: SyncState?
    var signer: (any PeerSigner)?
    /// The keychain's mark at the last scan; nil if the keychain has to be scanned again.
    var scannedMark: UInt64?

    package init(
        _ endpoint: any Endpoint,
        random: any RandomSource = SystemRandomSource(),
        now: @escaping Clock
    ) {
        self.init(EndpointKeychain(endpoint: endpoint), random: random, now: now)
    }

    /// Makes a device over any keychain; a simulation may pass it wrong rules on purpose.
    package init(
        _ keychain: any SyncedKeychain,
        random: any RandomSource = SystemRandomSource(),
        rules: MergeRules = .specified,
        now: @escaping Clock
    ) {
        self.keychain = keychain
        self.random = random
        self.rules = rules
        self.now = now
    }

    /// The machine of the current state; nil before the first call that reads the records.
    package var machine: SyncMachine? { state?.machine }

    /// The keys of the circle that the device has.
    package var keys: [SealName: SharedSecret] { state?.keys ?? [:] }

    /// Returns the keychain's membership in a circle; nil if it is in none.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    package mutating func membership() throws(SyncFailure) -> Membership? {
        try load()
        return state?.membership
    }

    /// Returns a number that changes with every write of an item; works in every lock state.
    package func mark() throws(SyncFailure) -> UInt64 { try keychain.mark() }

    /// Reads the records, unless they are still as this device last read or wrote them.
    mutating func load() throws(SyncFailure) {
        let turn = try keychain.records(MemoryRecords.Kind.turn.key()).first?.value
        if let turn, let state, state.turn == turn { return }
        state = nil
        scannedMark = nil
        signer = try keychain.signer()
        state = try SyncState(in: keychain, hasKeys: signer != nil, random, rules)
    }

    /// Returns the state of a keychain that has a membership in any phase.
    ///
    /// - Throws: `notJoined` if it has none.
    mutating func joined() throws(SyncFailure) -> (SyncState, any PeerSigner) {
        try load()
        guard let state, let signer else { throw .notJoined }
        return (state, signer)
    }

    /// Returns the state of a member.
    ///
    /// - Throws: `removed`; `notJoined`, also while the request to join is pending.
    mutating func member() throws(SyncFailure) -> (SyncState, any PeerSigner) {
        let (state, signer) = try joined()
        switch state.membership.phase {
        case .removed: throw .removed
        case .requested: throw .notJoined
        case .member: return (state, signer)
        }
    }

    /// Drops the state and the keys from memory if the keychain is locked.
    ///
    /// A program that keeps a device between passes calls this regularly, so that a locked keychain
    /// leaves nothing readable in memory.
    package mutating func forgetIfLocked() throws(SyncFailure) {
        guard state != nil, try keychain.isLocked() else { return }
        forgetState()
        signer = nil
    }

    /// Drops the state, so that the next call reads the records again.
    mutating func forgetState() {
        state = nil
        scannedMark = nil
    }

    func randomBytes(_ count: Int) throws(SyncFailure) -> [UInt8] {
        try fromCryptography(try random.bytes(count))
    }
}

// Transactions.
extension SyncDevice {
    /// Stores items and records in one transaction, or in several if they are too many for one.
    ///
    /// Items go first; the records begin in the transaction of the last items.
    ///
    /// - Returns: Whether everything was stored; false if an item changed meanwhile. Transactions
    ///   before the conflict stay.
    mutating func commit(
        _ next: SyncState,
        _ items: [SyncedItem],
        _ changes: MemoryChanges,
        _ further: [SyncRecord] = []
    ) throws(SyncFailure) -> Bool {
        var next = next
        try addForms(&next, changes.versions, items)
        let turn = try randomBytes(16)
        var records = try next.records(of: changes) + further
        records.append(SyncRecord(key: MemoryRecords.Kind.turn.key(), value: turn))
        var parts = items.portions.map { ($0, [SyncRecord]()) }
        for chunk in records.requests {
            if let last = parts.indices.last, parts[last].1.isEmpty {
                parts[last].1 = chunk
            } else {
                parts.append(([], chunk))
            }
        }
        for (items, records) in parts {
            guard let outcome = try keychain.apply(items, keeping: records) else {
                forgetState()
                return false
            }
            // If another program wrote since the scan, the keychain has to be scanned again.
            if let mark = scannedMark {
                scannedMark = outcome.markBefore == mark ? outcome.mark : nil
            }
        }
        next.turn = turn
        state = next
        return true
    }

    /// Notes the tombstone form of each changed item.
    private func addForms(
        _ next: inout SyncState,
        _ changed: Set<ItemName>,
        _ applied: [SyncedItem]
    ) throws(SyncFailure) {
        for item in applied {
            next.forms[ItemName(unchecked: item.name)] = TombstoneForm(of: item.content)
        }
        let versions = next.machine.memory.versions
        let unknown = changed.filter {
            versions[$0]?.isHeld == true && next.forms[$0] == nil
        }
        guard !unknown.isEmpty else { return }
        for (name, item) in try keychain.contents(of: unknown.sorted()) {
            next.forms[name] = TombstoneForm(of: item.content)
        }
    }
}

extension [SyncRecord] {
    /// The records in parts, each small enough for one request.
    fileprivate var requests: [[SyncRecord]] {
        var parts: [[SyncRecord]] = []
        var byteCount = 0
        for record in self {
            let added = record.value?.count ?? 0
            let isFull =
                (parts.last?.count ?? 0) >= SyncLimit.recordCount
                || byteCount + added > SyncLimit.recordsByteCount
            if parts.isEmpty || isFull {
                parts.append([])
                byteCount = 0
            }
            parts[parts.count - 1].append(record)
            byteCount += added
        }
        return parts
    }
}
