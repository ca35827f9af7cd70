import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// A pass has five phases, and a type for what each of them leaves: only the type of one phase has
// the function that makes the next.
//
//   device.scan → ScannedPass.link → LinkedPass.read → ReadPass.store → StoredPass.write → done
//
// Scanning comes first, so that what the keychain lost is buried before anything is read. Links
// come after the listing of streams, so that no entry that was listed names a link that was not.
// What was read is stored before anything is written, so that a kill between the two forgets
// nothing.

/// The machine knows what the keychain has.
struct ScannedPass<R: Relay> {
    fileprivate var state: SyncState
    fileprivate let relay: R

    /// Reads the links of the circle, and finds the keys that they give.
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
    /// Tells the machine what the keychain has, if it changed since.
    ///
    /// - Returns: nil if the keychain changed meanwhile.
    mutating func scan<R: Relay>(_ relay: R) throws(SyncFailure) -> ScannedPass<R>? {
        var (state, _) = try member()
        // The mark first: what is written after it is seen by the next scan.
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
            // What the relay does not have now is looked for in the next pass.
            if !isWhole { scannedMark = nil }
        }
        return try ScannedPass(state: member().0, relay: relay)
    }

    /// Milliseconds since 1970.
    var milliseconds: Int64 {
        let value = ((now() + KeychainScan.epochOffset) * 1000).rounded()
        return value.isNaN ? 0 : Int64(max(-9e15, min(9e15, value)))
    }

    /// The items that win over a local change because no later stamp is left.
    ///
    /// - Returns: The items, and whether the relay has all of them.
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

    /// Puts tombstones in for items that left none.
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
        // Whoever adds such an item meanwhile has not deleted it: the next scan sees it.
        for part in tombstones.portions { _ = try keychain.apply(part, keeping: []) }
        scannedMark = nil
    }
}

extension KeychainScan {
    /// While rows do not open, what is missing may be among them: it counts as unchanged.
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
