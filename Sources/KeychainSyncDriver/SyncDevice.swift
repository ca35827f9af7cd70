import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// Definitions  "pass": reads what the others wrote, changes the keychain, writes what they lack.
// Invariants   (1) What the keychain has and what the records say change in one transaction.
//              (2) An entry is in the records before the relay gets it.
//              (3) If anything fails, the next pass begins with what the records say.

/// A keychain and its place in a circle.
///
/// Every call begins with what the keychain's records say, so that calls may come from different
/// processes, one after the other. Two at the same time are kept apart by the caller.
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
    /// What the records said last, as long as nobody else changed them.
    var state: SyncState?
    var signer: (any PeerSigner)?
    /// The keychain's mark when it was scanned last; nil before.
    var scannedMark: UInt64?

    package init(
        _ endpoint: any Endpoint,
        random: any RandomSource = SystemRandomSource(),
        now: @escaping Clock
    ) {
        self.init(EndpointKeychain(endpoint: endpoint), random: random, now: now)
    }

    /// A device with a keychain of another kind, or with rules that a simulation turns around.
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

    /// What the device knows now; nil until it was asked for something.
    package var machine: SyncMachine? { state?.machine }

    /// The keys that the device has now.
    package var keys: [SealName: SharedSecret] { state?.keys ?? [:] }

    /// What the keychain keeps of its circle; nil if it is in none.
    ///
    /// - Throws: `errSecInteractionNotAllowed` while the keychain is locked.
    package mutating func membership() throws(SyncFailure) -> Membership? {
        try load()
        return state?.membership
    }

    /// Changes with every write of an item of the keychain; works in every lock state.
    package func mark() throws(SyncFailure) -> UInt64 { try keychain.mark() }

    /// Reads the records, unless they are as this device wrote them.
    mutating func load() throws(SyncFailure) {
        let turn = try keychain.records(MemoryRecords.Kind.turn.key()).first?.value
        if let turn, let state, state.turn == turn { return }
        state = nil
        scannedMark = nil
        signer = try keychain.signer()
        state = try SyncState(in: keychain, hasKeys: signer != nil, random, rules)
    }

    /// The state of a keychain that is in a circle, or asked to join one.
    mutating func joined() throws(SyncFailure) -> (SyncState, any PeerSigner) {
        try load()
        guard let state, let signer else { throw .notJoined }
        return (state, signer)
    }

    /// The state of a member.
    mutating func member() throws(SyncFailure) -> (SyncState, any PeerSigner) {
        let (state, signer) = try joined()
        switch state.membership.phase {
        case .removed: throw .removed
        case .requested: throw .notJoined
        case .member: return (state, signer)
        }
    }

    /// Forgets what it knows of items if the keychain is locked: the records are sealed by then.
    ///
    /// Whoever keeps a device while nothing happens calls this again and again.
    package mutating func forgetIfLocked() throws(SyncFailure) {
        guard state != nil, try keychain.isLocked() else { return }
        forgetState()
        signer = nil
    }

    /// Begins with the records the next time.
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
    /// Changes items and records in one transaction, or in several if there are too many items;
    /// the machine's memory is in the last one.
    ///
    /// - Returns: Whether it was done; false if the keychain changed meanwhile.
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
            // What others wrote since the scan has to be seen by the next one.
            if let mark = scannedMark {
                scannedMark = outcome.markBefore == mark ? outcome.mark : nil
            }
        }
        next.turn = turn
        state = next
        return true
    }

    /// Learns what a tombstone of each changed item would say.
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
    /// Parts that fit into a request each.
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
