import Cryptography
import KeychainSync
import Secrets
import SyncRelay

// Keys: which of them this device has, and which of these others cannot get.
//
// Source: Documentation/Spec/sync.md §2.2, §5.
extension SyncState {
    /// How many lost keys a link gives at most.
    private static let lostKeyCountLimit = 256

    /// Finds the keys of the chosen chain that this device has not got.
    ///
    /// The latest box gives its key, and that the ones before it. One walk from the end of the
    /// chain to its beginning finds all of them.
    /// - Returns: Whether there are new ones.
    mutating func findKeys(
        _ reader: some PeerSigner,
        _ relay: some Relay
    ) throws(SyncFailure) -> Bool {
        let chain = machine.chain
        let wanted = Set(chain.seals)
        let before = Set(keys.keys)
        if !wanted.isSubset(of: before) {
            let name = try fromFormat(try reader.name())
            boxRetries.begin()
            let retries = boxRetries
            let boxes = try fromFormat(
                try chain.boxes(for: name) { link, seal in
                    !before.contains(seal) && retries.isDue(link.boxesPlace)
                }
            )
            var end = chain.chain.count
            for box in boxes {
                try openEarlier(box.place + 1..<end, wanted)
                end = box.place + 1
                if keys[box.seal] == nil { try open(box, reader, relay) }
            }
            try openEarlier(0..<end, wanted)
        }
        let new = Set(keys.keys).subtracting(before)
        newKeys.formUnion(new)
        try noteKeys(new)
        return !new.isEmpty
    }

    /// Tells the machine of new keys, and of those that this device has to give to others.
    mutating func noteKeys(_ new: Set<SealName>) throws(SyncFailure) {
        let isKeeper = machine.circle?.isKeeper(machine.memory.peer) ?? false
        let head = machine.chain.head?.link.digest
        if !isKeeper || head != lostHead || !new.isEmpty { lostKeys = [:] }
        if let head, isKeeper, head != lostHead || !new.isEmpty {
            lostKeys = try lostKeys(at: head)
        }
        lostHead = isKeeper ? head : nil
        _ = try fromFormat(try machine.handle(.keyed(new, lost: Set(lostKeys.keys))))
    }

    private mutating func open(
        _ box: CircleChain.BoxPlace,
        _ reader: some PeerSigner,
        _ relay: some Relay
    ) throws(SyncFailure) {
        // Boxes that somebody spoilt are not fetched in every pass.
        boxRetries.fail(box.link.boxesPlace)
        guard let boxes = try fromRelay(try relay.boxes(at: box.link.boxesPlace)) else { return }
        keys[box.seal] = try fromFormat(
            try LinkBoxes.open(
                boxes,
                of: box.link,
                at: box.index,
                named: box.seal,
                membership.account,
                by: reader
            )
        )
    }

    /// Opens the keys that links of the chain give to who has the key in force after them, from the
    /// last of the links on.
    private mutating func openEarlier(
        _ places: Range<Int>,
        _ wanted: Set<SealName>
    ) throws(SyncFailure) {
        let chain = machine.chain
        for place in places.reversed() {
            let link = chain.chain[place]
            guard !link.earlierKeys.isEmpty, let key = keys[chain.seals[place]] else { continue }
            for earlier in link.earlierKeys
            where keys[earlier.name] == nil && wanted.contains(earlier.name) {
                keys[earlier.name] = try fromFormat(
                    try LinkBoxes.open(earlier, of: link, under: key)
                )
            }
        }
    }

    /// The keys of this device that nobody gets from the one in force at a link of the chain.
    ///
    /// Whoever made a new key may have sealed something else than the one before it.
    func lostKeys(at digest: SyncDigest) throws(SyncFailure) -> [SealName: SharedSecret] {
        let chain = machine.chain
        guard let end = chain.place(of: digest), keys[chain.seals[end]] != nil else { return [:] }
        var reached: Set = [chain.seals[end]]
        for place in (0...end).reversed() where reached.contains(chain.seals[place]) {
            let link = chain.chain[place]
            guard let key = keys[chain.seals[place]] else { continue }
            for earlier in link.earlierKeys
            where keys[earlier.name] != nil && !reached.contains(earlier.name) {
                let opened = try fromFormat(try LinkBoxes.open(earlier, of: link, under: key))
                if opened != nil { reached.insert(earlier.name) }
            }
        }
        var lost: [SealName: SharedSecret] = [:]
        for name in chain.seals[...end].reversed() where !reached.contains(name) {
            guard lost.count < Self.lostKeyCountLimit else { break }
            lost[name] = keys[name]
        }
        return lost
    }
}

extension Link {
    /// Where a relay keeps the boxes.
    var boxesPlace: LinkPlace { LinkPlace(number: number, digest: boxesDigest) }
}
