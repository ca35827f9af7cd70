import Cryptography
import KeychainMessages
import KeychainSync
import Secrets
import SyncRelay

// The links of the circle: reading them from the relay, and keeping them.
//
// Source: Documentation/Spec/sync.md §2, §3, §5.
extension SyncState {
    /// The most bytes of links that one call fetches.
    private static let fetchByteCount = 4 << 20

    /// Reads the new links on the relay, and lets the machine choose the chain among all links.
    ///
    /// - Returns: The actions that the machine requests.
    mutating func readLinks(
        _ relay: some Relay,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> [SyncAction] {
        listedLinks = try fromRelay(try relay.links())
        linkRetries.begin()
        var places = listedLinks.filter { !seenLinks.contains($0) && linkRetries.isDue($0) }
        for place in places { linkRetries.fail(place) }
        var read: [(link: Link, bytes: [UInt8], place: LinkPlace)] = []
        while !places.isEmpty {
            let found = try fromRelay(
                try relay.links(at: places, byteCountLimit: Self.fetchByteCount)
            )
            for (place, bytes) in found {
                seenLinks.insert(place)
                linkRetries.succeed(place)
                guard let link = try open(bytes, &report) else { continue }
                read.append((link, bytes, place))
            }
            guard let last = found.last?.place, let index = places.firstIndex(of: last) else {
                break
            }
            places.removeSubrange(...index)
        }
        guard !read.isEmpty else { return [] }
        let actions = try fromFormat(try machine.handle(.linked(read.map(\.link))))
        // A link may have several encodings; keep the one whose signatures are right.
        for (link, bytes, place) in read where machine.chain.link(link.digest) == link {
            linkBytes[link.digest] = bytes
            linkPlaces[link.digest, default: []].insert(place)
        }
        return actions
    }

    /// Adopts the links and keys that another state read from the same relay.
    mutating func takeLinks(from other: SyncState, _ rules: MergeRules) {
        listedLinks = other.listedLinks
        seenLinks = other.seenLinks
        linkBytes = other.linkBytes
        linkPlaces = other.linkPlaces
        keys = other.keys
        newKeys = other.newKeys
        var memory = machine.memory
        memory.keys = Set(keys.keys)
        machine = SyncMachine(memory, other.machine.chain, rules: rules)
    }

    /// Opens a link; if the circle's code does not open it, counts it as foreign and returns nil.
    private func open(
        _ bytes: [UInt8],
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Link? {
        do throws(SyncError) { return try LinkFormat.open(bytes, membership.code) } catch {
            guard case .backend = error else {
                report.foreignLinkCount += 1
                return nil
            }
            throw .format(error)
        }
    }

    /// Sends the relay the links of the chain that it lost.
    func giveLinksBack(_ relay: some Relay) throws(SyncFailure) {
        let listed = Set(listedLinks)
        for link in machine.chain.chain where linkOutbox[link.digest] == nil {
            guard linkPlaces[link.digest, default: []].isDisjoint(with: listed),
                let bytes = linkBytes[link.digest]
            else { continue }
            let place = try place(of: link, bytes)
            try fromRelay(try relay.put(bytes, boxes: nil, at: place))
        }
    }

    func place(of link: Link, _ bytes: [UInt8]) throws(SyncFailure) -> LinkPlace {
        LinkPlace(
            number: link.number,
            digest: try fromCryptography(try SyncDigest(of: bytes))
        )
    }

    /// Adopts a link that this device made, with its key, and queues its boxes for the relay.
    ///
    /// - Returns: The records to store.
    mutating func take(_ made: MadeLink, _ nonce: [UInt8]) throws(SyncFailure) -> [SyncRecord] {
        let bytes = try fromFormat(try LinkFormat.seal(made.link, membership.code, nonce: nonce))
        linkBytes[made.link.digest] = bytes
        linkOutbox[made.link.digest] = made.boxes
        keys[made.keyName] = made.key
        newKeys.insert(made.keyName)
        _ = try fromFormat(try machine.handle(.keyed([made.keyName], lost: [])))
        let kind = MemoryRecords.Kind.linkOutbox
        return SyncState.pieces(of: made.boxes, kind, made.link.digest.bytes, isGone: false)
            + [linkRecord(made.link.digest, bytes)]
    }

    /// Returns the record of a link, in the bytes that the relay stores.
    func linkRecord(_ digest: SyncDigest, _ bytes: [UInt8]) -> SyncRecord {
        // The bytes are sealed already, under a key derived from the circle's code.
        SyncRecord(key: MemoryRecords.Kind.link.key(digest.bytes), value: bytes)
    }

    /// Returns the records of new links and keys, and counts these as recorded.
    mutating func chainRecords() throws(SyncFailure) -> [SyncRecord] {
        var records: [SyncRecord] = []
        for link in machine.chain.chain where !recordedLinks.contains(link.digest) {
            guard let bytes = linkBytes[link.digest] else { continue }
            records.append(linkRecord(link.digest, bytes))
            recordedLinks.insert(link.digest)
        }
        for name in newKeys.sorted() {
            guard let key = keys[name] else { continue }
            let record = MemoryRecords.Kind.key.key(name.bytes)
            records.append(try seal.seal(key.secret, as: record))
        }
        newKeys = []
        return records
    }
}
