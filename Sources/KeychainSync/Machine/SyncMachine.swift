// Definitions  "Held": the keychain contains the item. "Missing": the state says that the item is
//              held, but the last scan did not find it. "Unpublished": others may not know the
//              version, because no entry that counts has it, or only one by a former member.
// Invariants   (1) A smaller version never replaces the known one, unless the known one is too far
//                  ahead of the clock.                                              → MergeTests
//              (2) After each transaction the keychain contains what the state says it contains.
//                                                                                   → Simulation
// A pass       scanned → bury? → linked → listed → read… → transaction → plan… → append, trim.

/// Decides which versions of the items win, from the changes that all devices tell.
///
/// The machine has no side effects: a driver reports events to it and carries out its actions. If
/// the driver cannot carry one out, it drops the machine and makes a new one from the state it
/// stored last.
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
    /// The limit in milliseconds, 48 hours: a change further ahead of the clock waits.
    package static let aheadMillisecondsLimit: Int64 = 48 * 3600 * 1000
    /// The beginning of 2025 in milliseconds since 1970; a clock that shows an earlier time is
    /// wrong.
    static let earliestMilliseconds: Int64 = 1_735_689_600_000
    /// The milliseconds, 365 days, for which every tombstone is kept.
    static let tombstoneMilliseconds: Int64 = 365 * 24 * 3600 * 1000

    package internal(set) var memory: SyncMemory
    package internal(set) var chain: CircleChain
    /// The items that this device has to tell the others about.
    package internal(set) var unpublished: Set<ItemName> = []
    /// The members that, since the last listing, named a link that the relay does not show.
    package internal(set) var unknownLinks: [KeyName: SyncDigest] = [:]

    let rules: MergeRules
    /// Keys of this device that nobody can get from the key in force.
    var lostKeys: Set<SealName> = []
    /// Whether `unpublished` has to be computed again.
    var isTellingDue = false
    /// The number of listings since the chain last changed; it starts at 2.
    var listingCount = 2
    /// The present time in milliseconds since 1970, as the driver last reported it.
    var now: Int64 = 0
    /// The items of the last scan with their digests, updated by each transaction.
    var keychain: [ItemName: SyncDigest] = [:]
    var missing: Set<ItemName> = []
    /// The range of entries of each stream at the last listing.
    var listing: [StreamName: Range<UInt64>] = [:]
    var pendingApplies: [ItemName: ItemApply] = [:]
    var changes = MemoryChanges()

    /// Creates a machine that continues from stored state.
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

    /// The circle at the end of the chain; nil until the founding link is known.
    package var circle: CircleState? { chain.head?.state }

    /// Updates the state for one event.
    ///
    /// - Returns: The actions that the driver has to take.
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

    /// Returns, and clears, the changes that one transaction has to store and to apply to the
    /// keychain.
    ///
    /// If the transaction fails because an item changed since the scan, the driver starts again
    /// from the state it stored last.
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

    /// Starts to read all streams again, because the keychain now synchronizes other classes.
    ///
    /// It forgets the versions that the keychain does not hold: the streams bring them back.
    ///
    /// - Returns: The changes that have to be stored.
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
