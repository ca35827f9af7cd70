import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// A pass has five phases. Each phase returns a type of its own, and only this type has the function
// of the next phase, so that no phase can be left out.
//
//   device.scan → ScannedPass.link → LinkedPass.read → ReadPass.store → StoredPass.write → done
//
// Scanning comes first, so that missing items get tombstones before anything is read. The streams
// are listed before the links are read, so that the links of all listed entries are on the relay by
// then. The pass stores the entries that it read before it writes its own, so that a kill between
// the two loses nothing.

/// The state of a pass after the machine has compared the keychain with its memory.
struct ScannedPass<R: Relay> {
    fileprivate var state: SyncState
    fileprivate let relay: R

    /// Lists the streams, reads the links of the circle, and finds the keys that they give.
    func link(
        _ device: SyncDevice,
        _ signer: any PeerSigner,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> LinkedPass<R> {
        var state = state
        let listing = try fromRelay(try relay.streams())
        var actions = try state.readLinks(relay, &report)
        try state.giveLinksBack(relay)
        _ = try state.findKeys(signer, relay)
        actions += try fromFormat(try state.machine.handle(.listed(listing)))
        return LinkedPass(state, relay, listing, actions)
    }
}

extension SyncDevice {
    /// Scans the keychain if it changed since the last scan, and reports its items to the machine.
    ///
    /// - Returns: The next phase; nil if the pass has to scan again, because the keychain changed
    ///   or this scan added tombstones.
    mutating func scan<R: Relay>(_ relay: R) throws(SyncFailure) -> ScannedPass<R>? {
        var (state, _) = try member()
        // Read the mark first, so that the next scan sees every later write.
        if let mark = scannedMark, try keychain.mark() == mark {
            _ = try fromFormat(try state.machine.handle(.clock(now: milliseconds)))
            return ScannedPass(state: state, relay: relay)
        }
        var scan = try keychain.scan()
        if scan.damagedCount > 0 { scan.addKnown(state.machine.memory) }
        let actions = try fromFormat(
            try state.machine.handle(.scanned(scan.items, now: milliseconds))
        )
        let missing = actions.compactMap { action in
            if case .bury(let item) = action { item } else { nil }
        }
        if !missing.isEmpty {
            try bury(missing, state)
            return nil
        }
        let transaction = state.machine.takeTransaction()
        scannedMark = scan.mark
        self.state = state
        if !transaction.changes.isEmpty || !transaction.applies.isEmpty {
            let (items, isWhole) = try overruling(transaction.applies, state, relay)
            guard try commit(state, items, transaction.changes) else { return nil }
            // The next pass looks again for content that the relay does not have now.
            if !isWhole { scannedMark = nil }
        }
        return try ScannedPass(state: member().0, relay: relay)
    }

    /// Milliseconds since 1970.
    var milliseconds: Int64 {
        let value = ((now() + KeychainScan.epochOffset) * 1000).rounded()
        return value.isNaN ? 0 : Int64(max(-9e15, min(9e15, value)))
    }

    /// Finds the items that overrule a local change because no later stamp is left for it.
    ///
    /// - Returns: The items, and whether the relay has the content of all of them.
    private func overruling(
        _ applies: [ItemApply],
        _ state: SyncState,
        _ relay: some Relay
    ) throws(SyncFailure) -> (items: [SyncedItem], isWhole: Bool) {
        var items: [SyncedItem] = []
        for apply in applies {
            guard let content = try state.content(of: apply, relay),
                let item = SyncedItem(ItemChange(apply.mark, content), replacing: apply.replaced)
            else { continue }
            items.append(item)
        }
        return (items, items.count == applies.count)
    }

    /// Stores tombstones for items that vanished without one.
    private mutating func bury(_ items: [ItemName], _ state: SyncState) throws(SyncFailure) {
        let seconds = now()
        var tombstones: [SyncedItem] = []
        for item in items {
            guard let form = state.forms[item] else {
                throw .damagedState("nothing is known of an item that was deleted")
            }
            let content = form.tombstone(at: seconds)
            let digest = try fromFormat(try content.tombstoneDigest())
            guard let stamp = Stamp(milliseconds: 0, counter: 0) else { continue }
            let mark = ChangeMark(
                item: item,
                version: ItemVersion(stamp, digest),
                isTombstone: true
            )
            guard let made = SyncedItem(ItemChange(mark, content), replacing: nil) else {
                throw .damagedState("an item that was deleted is of no class")
            }
            tombstones.append(made)
        }
        // If another program has added such an item again, this stores nothing; the next scan
        // sees that item.
        for part in tombstones.portions { _ = try keychain.apply(part, keeping: []) }
        scannedMark = nil
    }
}

extension KeychainScan {
    /// Adds the known items that the scan lacks, as unchanged; they may be rows that do not open.
    mutating func addKnown(_ memory: SyncMemory) {
        let found = Set(items.map(\.item))
        for (item, known) in memory.versions where known.isHeld && !found.contains(item) {
            items.append(
                LocalItem(
                    item: item,
                    digest: known.mark.version.digest,
                    isTombstone: known.mark.isTombstone,
                    modified: Int64(clamping: known.mark.version.stamp.milliseconds)
                )
            )
        }
    }
}
