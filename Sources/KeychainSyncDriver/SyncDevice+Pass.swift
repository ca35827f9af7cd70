import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// A pass of synchronization.
//
// Source: Documentation/Spec/sync.md.
extension SyncDevice {
    /// How often a pass begins again because somebody changed the keychain meanwhile.
    private static let attemptLimit = 16

    /// Reads what the others wrote, changes the keychain, and writes what they lack.
    ///
    /// - Throws: `notJoined`; `errSecInteractionNotAllowed` while the keychain is locked; what the
    ///   relay throws. What was done before stays done.
    package mutating func pass(through relay: some Relay) throws(SyncFailure) -> SyncReport {
        var report = SyncReport()
        // A change of the passcode gives keys that an earlier build made other handles.
        if let present = try ElementSigner(in: keychain.endpoint) { signer = present }
        let (state, signer) = try joined()
        report.isOn = state.membership.isOn
        guard report.isOn else { return report }
        guard state.membership.phase != .removed else { throw .removed }
        try flush(to: relay)
        if state.machine == nil {
            report.isMember = try lookForApproval(signer, relay)
            guard report.isMember else { return report }
        }
        try followProfile()
        var isDone = false
        for _ in 0..<Self.attemptLimit where !isDone { isDone = try exchange(relay, &report) }
        report.mark = isDone ? scannedMark : nil
        return report
    }

    /// One round of reading and writing.
    ///
    /// - Returns: Whether nothing is left to do; false if the keychain changed meanwhile.
    private mutating func exchange(
        _ relay: some Relay,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Bool {
        guard try scan(relay) else { return false }
        var (state, machine, signer) = try member()
        let limit = min(relay.entryByteCountLimit, EntryHeader.bodyByteCountLimit)
        let listing = try fromRelay(try relay.streams())
        var actions = try fromCryptography(try machine.handle(.listed(listing)))
        var reading = StreamReading(state, machine, signer, keychain, relay)
        actions += try reading.readAll(listing)
        state = reading.state
        report.damagedStreams = reading.damaged
        report.waitingStreams = reading.waiting
        try note(actions, &report, &state)
        guard try store(reading.contents, state, &report) else { return false }
        guard self.state?.membership.phase == .member else { throw .removed }
        try write(&report, entryByteCountLimit: limit)
        try flush(to: relay)
        try trim(actions, relay)
        return true
    }

    /// Tells the machine what the keychain has, if it changed since.
    ///
    /// - Returns: Whether the keychain is as the machine knows it.
    private mutating func scan(_ relay: some Relay) throws(SyncFailure) -> Bool {
        var (state, machine, _) = try member()
        // The mark first: what is written after it is seen by the next scan.
        if let mark = scannedMark, try keychain.mark() == mark { return true }
        var scan = try keychain.scan()
        if scan.damagedCount > 0 { scan.addKnown(machine.memory) }
        let actions = try fromCryptography(try machine.handle(.scanned(scan.items)))
        let missing = actions.compactMap { action in
            if case .bury(let item) = action { item } else { nil }
        }
        if !missing.isEmpty {
            try bury(missing, state)
            return false
        }
        let transaction = machine.takeTransaction()
        state.machine = machine
        scannedMark = scan.mark
        self.state = state
        guard !transaction.changes.isEmpty || !transaction.applies.isEmpty else { return true }
        let (items, isWhole) = try overruling(transaction.applies, state, relay)
        guard try commit(state, items, transaction.changes) else { return false }
        // What the relay does not have now is looked for in the next pass.
        if !isWhole { scannedMark = nil }
        return true
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

    /// Puts what was read into the keychain, with what the machine learned.
    private mutating func store(
        _ contents: [EntryPlace: [ItemName: ItemContent]],
        _ next: SyncState,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Bool {
        var next = next
        guard var machine = next.machine else { throw .notJoined }
        let transaction = machine.takeTransaction()
        next.machine = machine
        var items: [SyncedItem] = []
        for apply in transaction.applies {
            guard let content = contents[apply.source]?[apply.mark.item],
                let item = SyncedItem(ItemChange(apply.mark, content), replacing: apply.replaced)
            else { throw .damagedState("a change has no content") }
            items.append(item)
        }
        guard !items.isEmpty || !transaction.changes.isEmpty else {
            state = next
            return true
        }
        let further =
            next.membership == state?.membership ? [] : [try next.membershipRecord()]
        guard try commit(next, items, transaction.changes, further) else { return false }
        report.receivedCount += items.count
        return true
    }

    /// Notes what a person should know; a removal ends membership.
    private func note(
        _ actions: [SyncAction],
        _ report: inout SyncReport,
        _ state: inout SyncState
    ) throws(SyncFailure) {
        for case .tell(let notice) in actions {
            switch notice {
            case .rolledBack(let peer, _, _): throw .rolledBack(peer)
            case .removed: state.membership.phase = .removed
            case .forked, .withheld, .restored, .incomplete: report.notices.append(notice)
            }
        }
    }

    private func trim(_ actions: [SyncAction], _ relay: some Relay) throws(SyncFailure) {
        for case .trim(let number) in actions {
            guard let peer = state?.machine?.memory.peer else { continue }
            try fromRelay(try relay.trim(peer, below: number))
        }
    }

    /// After an update of the system other classes may be exchanged: reads all streams again.
    private mutating func followProfile() throws(SyncFailure) {
        guard var state, var machine = state.machine else { return }
        let classes = keychain.exchangedClasses
        guard classes != state.membership.classes else { return }
        state.membership.classes = classes
        let changes = machine.readEverythingAgain()
        state.machine = machine
        _ = try commit(state, [], changes, [try state.membershipRecord()])
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
