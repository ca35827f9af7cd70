// Definitions  "held": the keychain contains the item. "Missing": held as memory says, but not in
//              the last scan. "Unpublished": others may not know the version: it is in no entry
//              that counts, or only in one by somebody who is no member.
// Invariants   (1) The version of an item in memory never becomes smaller.      → MergeTests
//              (2) What memory says the keychain contains is what it contains after the
//                  transaction.                                                 → Simulation
// A pass       scanned → bury? → linked → listed → read… → transaction → plan… → append, trim.

/// Decides what the items of a keychain are, from what several devices say of them.
///
/// The machine does not touch anything: a driver tells it what happened and does what it says. If
/// the driver cannot do something, it forgets the machine, and makes one from what it stored last.
///
/// ```swift
/// var machine = SyncMachine(stored, chain)
/// for case .bury(let item) in try machine.handle(.scanned(items, now: now)) { … }
/// _ = try machine.handle(.listed(try relay.streams()))
/// for stream in machine.streamsToRead() { … }
/// store(machine.takeTransaction())
/// while let plan = machine.nextPlan() { … }
/// ```
///
/// - Source: Documentation/Spec/sync.md §3 to §7.
package struct SyncMachine: Sendable {
    /// A change further ahead of the clock waits.
    package static let aheadMillisecondsLimit: Int64 = 48 * 3600 * 1000
    /// No clock is right that shows an earlier time: the beginning of 2025.
    static let earliestMilliseconds: Int64 = 1_735_689_600_000
    /// A tombstone is kept so long in any case.
    static let tombstoneMilliseconds: Int64 = 365 * 24 * 3600 * 1000

    package internal(set) var memory: SyncMemory
    package internal(set) var chain: CircleChain
    /// The items that other devices have to be told of.
    package internal(set) var unpublished: Set<ItemName> = []
    /// The members that name a link which nobody shows, since the last listing.
    package internal(set) var unknownLinks: [KeyName: SyncDigest] = [:]

    let rules: MergeRules
    /// Keys that this device has and nobody gets from the one in force.
    var lostKeys: Set<SealName> = []
    /// Whether it has to be found anew what others may not know.
    var isTellingDue = false
    /// How often the relay was listed since the chain changed; at first it did not.
    var listingCount = 2
    /// Milliseconds since 1970 at the last scan.
    var now: Int64 = 0
    /// What the last scan found.
    var keychain: [ItemName: SyncDigest] = [:]
    var missing: Set<ItemName> = []
    /// What the relay had when it was listed.
    var listing: [StreamName: Range<UInt64>] = [:]
    var pendingApplies: [ItemName: ItemApply] = [:]
    var changes = MemoryChanges()

    /// A machine that goes on with what was stored.
    package init(
        _ memory: SyncMemory,
        _ chain: CircleChain,
        rules: MergeRules = .specified
    ) {
        self.memory = memory
        self.chain = chain
        self.rules = rules
        findUnpublished()
    }

    /// The circle at the end of the chain; nil until its founding is known.
    package var circle: CircleState? { chain.head?.state }

    /// Takes what happened in.
    ///
    /// - Returns: What the driver has to do.
    package mutating func handle(_ event: SyncEvent) throws(SyncError) -> [SyncAction] {
        switch event {
        case .scanned(let items, let now): return scanned(items, now: now)
        case .clock(let now):
            self.now = now
            return []
        case .linked(let links): return try linked(links)
        case .said(let link):
            memory.own.said.append(link.digest)
            changes.own = true
            return try linked([link])
        case .keyed(let keys, let lost):
            memory.keys.formUnion(keys)
            lostKeys = lost
            return []
        case .listed(let listing): return listed(listing)
        case .read(let entry, let segment, let foreign):
            return read(entry, segment, foreign: foreign)
        case .passedOver(let entry): return passedOver(entry)
        case .wrote(let entry, let segment): return wrote(entry, segment)
        case .left(let entry):
            if memory.own.leaving.insert(entry.place.stream.device).inserted { changes.own = true }
            return passedOver(entry)
        case .wroteOther(let entry):
            guard entry.place == ownPlace else { return [] }
            return step(entry)
        case .began(let stream):
            begin(stream)
            return []
        }
    }

    /// What one transaction has to store and to put into the keychain.
    ///
    /// If that fails because an item changed since the scan, the driver begins again with the
    /// memory that it stored last.
    package mutating func takeTransaction() -> SyncTransaction {
        if isTellingDue { findUnpublished() }
        var transaction = SyncTransaction()
        transaction.applies = pendingApplies.values.sorted { $0.mark.item < $1.mark.item }
        transaction.changes = changes
        for apply in transaction.applies { keychain[apply.mark.item] = apply.mark.version.digest }
        pendingApplies = [:]
        changes = MemoryChanges()
        return transaction
    }

    /// Begins to read all streams again, because the keychain exchanges other classes now.
    ///
    /// What it did not contain is forgotten: the streams bring it back.
    ///
    /// - Returns: What has to be stored.
    package mutating func readEverythingAgain() -> MemoryChanges {
        for (item, known) in memory.versions where !known.isHeld {
            memory.versions[item] = nil
            changes.versions.insert(item)
        }
        for stream in memory.streams.keys where stream != memory.stream {
            memory.streams[stream] = StreamMemory()
            changes.streams.insert(stream)
        }
        return takeTransaction().changes
    }
}
