import Cryptography

// Definitions  "held": the keychain contains the item. "Missing": held as memory says, but not in
//              the last scan.
// Invariants   (1) The version of an item in memory never becomes smaller.      → MergeTests
//              (2) What memory says the keychain contains is what it contains after the
//                  transaction.                                                 → Simulation
//              (3) A version whose source is nil, or by nobody who is a member, is unpublished.
// A pass       scanned → bury? → listed → read… → transaction → nextEntry… → append, trim.

/// Decides what the items of a keychain are, from what several peers say of them.
///
/// The machine does not touch anything: a driver tells it what happened and does what it says. If
/// the driver cannot do something, it forgets the machine, and makes one from what it stored last.
///
/// ```swift
/// var machine = try SyncMachine(stored)
/// for case .bury(let item) in try machine.handle(.scanned(items)) { … }
/// _ = try machine.handle(.listed(try relay.streams()))
/// while let stream = machine.streamsToRead().first(where: isReadable) { … }
/// store(machine.takeTransaction())
/// while let plan = machine.nextEntry() { … }
/// ```
///
/// - Source: Documentation/Spec/sync.md §2 to §7.
package struct SyncMachine: Sendable {
    package internal(set) var memory: SyncMemory
    /// nil until the founding statement is known.
    package internal(set) var circle: Circle?
    /// The items that other peers have to be told of.
    package internal(set) var unpublished: Set<ItemName> = []

    let rules: MergeRules
    /// The least count of segments before a checkpoint.
    let checkpointSegmentCount: Int
    /// What the last scan found.
    var keychain: [ItemName: SyncDigest] = [:]
    var missing: Set<ItemName> = []
    /// What the relay had when it was listed.
    var listing: [PeerName: Range<UInt64>] = [:]
    var pendingApplies: [ItemName: ItemApply] = [:]
    var changes = MemoryChanges()

    /// A machine that goes on with what was stored.
    package init(
        _ memory: SyncMemory,
        rules: MergeRules = .specified,
        checkpointSegmentCount: Int = 64
    ) throws(CryptographyError) {
        self.memory = memory
        self.rules = rules
        self.checkpointSegmentCount = checkpointSegmentCount
        circle = try Circle(founding: memory.founding, statements: memory.statements.values)
        findUnpublished()
    }

    /// Takes what happened in.
    ///
    /// - Returns: What the driver has to do before anything else.
    package mutating func handle(_ event: SyncEvent) throws(CryptographyError) -> [SyncAction] {
        switch event {
        case .scanned(let items): return scanned(items)
        case .listed(let listing): return listed(listing)
        case .read(let place, let digest, let segment, let foreign):
            return try read(place, digest, segment, foreign: foreign)
        case .readOther(let place, let digest): return readOther(place, digest)
        case .received(let epochs, let statements):
            return try received(epochs: epochs, statements: statements)
        case .wrote(let place, let digest, let segment):
            return try wrote(place, digest, segment)
        case .wroteKeys(let place, let digest, let keys): return wroteKeys(place, digest, keys)
        case .wroteOther(let place, let digest): return wroteOther(place, digest)
        case .withdrew(let head): return withdrew(to: head)
        }
    }

    /// What one transaction has to store and to put into the keychain.
    ///
    /// If that fails because an item changed since the scan, the driver begins again with the
    /// memory that it stored last.
    package mutating func takeTransaction() -> SyncTransaction {
        var transaction = SyncTransaction()
        transaction.applies = pendingApplies.values.sorted { $0.mark.item < $1.mark.item }
        transaction.changes = changes
        for apply in transaction.applies { keychain[apply.mark.item] = apply.mark.version.digest }
        pendingApplies = [:]
        changes = MemoryChanges()
        return transaction
    }
}
