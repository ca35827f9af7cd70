import Cryptography
import KeychainSync
import Secrets
import SyncRelay

// The keys of the chain that this device has, and those that the others cannot get.
//
// Source: Documentation/Spec/sync.md §2.2, §5.
extension SyncState {
    /// The most lost keys that one link gives.
    private static let lostKeyCountLimit = 256

    /// Finds the keys of the chosen chain that this device lacks.
    ///
    /// The latest box gives one key, and links that have this key in force give earlier keys. One
    /// walk from the end of the chain to its beginning finds all of them.
    ///
    /// - Returns: Whether it found new keys.
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

    /// Reports new keys to the machine, and the keys that this device has to give to the others.
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
        // Count it as failed first, so that damaged boxes are not fetched in every pass.
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

    /// Opens the earlier keys in a range of links, from the last link to the first.
    ///
    /// A link seals them under the key in force after it.
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

    /// Returns the keys of this device that do not follow from the key in force at a link.
    ///
    /// A hostile keeper may have sealed other bytes in place of an earlier key.
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
    /// The place of the link's boxes on a relay.
    var boxesPlace: LinkPlace { LinkPlace(number: number, digest: boxesDigest) }
}
