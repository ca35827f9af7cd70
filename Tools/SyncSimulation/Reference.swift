import KeychainSync

/// What the machine has to arrive at, computed without it: all changes that were ever made, and of
/// each item the greatest.
struct Reference {
    /// A version, compared as sync.md §2 says, by code that the machine does not use.
    struct Version: Hashable {
        let milliseconds: UInt64
        let counter: UInt32
        let digest: [UInt8]
        let isTombstone: Bool

        func isGreater(than other: Version) -> Bool {
            if milliseconds != other.milliseconds { return milliseconds > other.milliseconds }
            if counter != other.counter { return counter > other.counter }
            for (own, its) in zip(digest, other.digest) where own != its { return own > its }
            return false
        }

        init(_ mark: ChangeMark) {
            milliseconds = mark.version.stamp.milliseconds
            counter = mark.version.stamp.counter
            digest = mark.version.digest.bytes
            isTombstone = mark.isTombstone
        }

        /// The version of a change that a person made on top of another.
        init(_ content: Content, after replaced: Version?) {
            let last: Int64 = 253_402_300_799_999
            let wall = UInt64(min(max(content.modified, 0), last))
            digest = content.digest.bytes
            isTombstone = content.isTombstone
            guard let replaced, replaced.milliseconds >= wall else {
                milliseconds = wall
                counter = 0
                return
            }
            milliseconds = replaced.milliseconds
            counter = replaced.counter + 1
        }
    }

    /// For each item, every change that was ever acknowledged.
    private(set) var changes: [Set<Version>]
    /// For each device and item, the greatest change that was made there.
    private(set) var made: [[Version?]] = []
    /// For each device and item, the version that its memory had when it was last stored.
    private(set) var known: [[Version?]] = []

    /// For each device and item, the last change that a person made and no scan saw.
    private(set) var unseen: [[Version?]] = []
    /// For each device, how many entries of removed peers count, as it knew when it last stored.
    private var ended: [[PeerName: UInt64]] = []

    /// Peers that somebody took for removed, and then for members: two removed each other.
    private(set) var reinstated: Set<PeerName> = []

    /// Peers whose removal did not count for somebody, because it contradicts another one.
    ///
    /// Who took such a peer for a member gave it the keys of that time.
    private(set) var contested: Set<PeerName> = []

    init(itemCount: Int) { changes = Array(repeating: [], count: itemCount) }

    mutating func addDevice() {
        made.append(Array(repeating: nil, count: changes.count))
        known.append(Array(repeating: nil, count: changes.count))
        unseen.append(Array(repeating: nil, count: changes.count))
        ended.append([:])
    }

    /// A person changes an item, or takes it away.
    mutating func personChanges(_ item: Int, to content: Content?, on device: Int) {
        let replaced = known[device][item]
        unseen[device][item] = content.flatMap { content in
            content.digest.bytes == replaced?.digest ? nil : Version(content, after: replaced)
        }
    }

    /// Remembers who was removed, and by whose statement that does not count.
    mutating func noteRemovals(
        _ circle: Circle?,
        _ statements: [SyncDigest: Statement],
        on device: Int
    ) {
        for digest in circle?.uncounted ?? [] {
            guard case .remove(let peer, _, _) = statements[digest]?.action,
                circle?.hasMember(peer) == true
            else { continue }
            contested.insert(peer)
        }
        let removed = (circle?.peers ?? [:]).compactMapValues { $0.entryCount }
        reinstated.formUnion(ended[device].keys.filter { removed[$0] == nil })
        ended[device] = removed
    }

    /// The changes that a scan finds on a device, which count once they are stored.
    func found(_ scan: [Content?], on device: Int) -> [(item: Int, version: Version)] {
        var found: [(item: Int, version: Version)] = []
        for item in scan.indices {
            guard let content = scan[item] else { continue }
            let replaced = known[device][item]
            if replaced?.digest != content.digest.bytes {
                found.append((item, Version(content, after: replaced)))
            }
        }
        return found
    }

    /// Checks what a device stores, and remembers it.
    mutating func store(
        _ marks: [(item: Int, mark: ChangeMark)],
        found: [(item: Int, version: Version)],
        on device: Int
    ) throws(Violation) {
        for (item, version) in found {
            changes[item].insert(version)
            made[device][item] = version
            if unseen[device][item]?.digest == version.digest { unseen[device][item] = nil }
        }
        for (item, mark) in marks {
            let version = Version(mark)
            guard changes[item].contains(version) else {
                throw Violation(.nothingInvented, "device \(device) item \(item) has \(mark)")
            }
            if let earlier = known[device][item], earlier.isGreater(than: version) {
                throw Violation(.neverBack, "device \(device) item \(item) went back to \(mark)")
            }
            known[device][item] = version
        }
        for (item, version) in found where known[device][item] != version {
            guard let winner = known[device][item], winner.isGreater(than: version) else {
                throw Violation(.nothingLost, "device \(device) lost its change of item \(item)")
            }
        }
    }
}
