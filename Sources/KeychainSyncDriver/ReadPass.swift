import KeychainMessages
import KeychainSync
import SyncRelay

/// The state of a pass after it has read all entries that it can, and before it stores them.
struct ReadPass<R: Relay> {
    private var state: SyncState
    private let relay: R
    private let contents: [EntryPlace: [ItemName: ItemContent]]
    private let actions: [SyncAction]

    init(
        _ state: SyncState,
        _ relay: R,
        _ contents: [EntryPlace: [ItemName: ItemContent]],
        _ actions: [SyncAction]
    ) {
        self.state = state
        self.relay = relay
        self.contents = contents
        self.actions = actions
    }

    /// Stores the winning items in the keychain, together with the machine's memory.
    ///
    /// - Returns: The next phase; nil if the keychain changed meanwhile.
    /// - Throws: `removed`, `rolledBack`.
    consuming func store(
        _ device: inout SyncDevice,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> StoredPass<R>? {
        try note(&report)
        let transaction = state.machine.takeTransaction()
        var items: [SyncedItem] = []
        for apply in transaction.applies {
            guard let content = contents[apply.source]?[apply.mark.item],
                let item = SyncedItem(ItemChange(apply.mark, content), replacing: apply.replaced)
            else { throw .damagedState("a change has no content") }
            items.append(item)
        }
        var records = try state.chainRecords()
        if state.membership != device.state?.membership {
            records.append(try state.membershipRecord())
        }
        if state.faults != device.state?.faults { records.append(try state.faultRecord()) }
        if items.isEmpty, transaction.changes.isEmpty, records.isEmpty {
            device.state = state
        } else {
            guard try device.commit(state, items, transaction.changes, records) else { return nil }
            report.receivedCount += items.count
        }
        if state.membership.phase == .removed { throw .removed }
        return StoredPass(relay, actions)
    }

    /// Copies the machine's notices to the report; the notice of a removal ends the membership.
    private mutating func note(_ report: inout SyncReport) throws(SyncFailure) {
        for case .tell(let notice) in actions {
            switch notice {
            case .rolledBack(let stream, _, _): throw .rolledBack(stream)
            case .removed: state.membership.phase = .removed
            case .forked, .withheld, .restored, .clockWasAhead, .copied, .dropped:
                report.notices.append(notice)
            }
        }
    }
}

/// The state of a pass after the keychain has stored what the pass read.
struct StoredPass<R: Relay> {
    private let relay: R
    private let actions: [SyncAction]

    fileprivate init(_ relay: R, _ actions: [SyncAction]) {
        self.relay = relay
        self.actions = actions
    }

    /// Writes the links and entries that the others lack, and sends them to the relay.
    ///
    /// - Returns: Whether the pass is complete; false if this device has to begin another stream.
    consuming func write(
        _ device: inout SyncDevice,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Bool {
        if actions.contains(.begin) {
            try device.begin()
            return false
        }
        let limit = min(relay.entryByteCountLimit, EntryHeader.bodyByteCountLimit)
        try device.write(&report, entryByteCountLimit: limit)
        guard try device.flush(to: relay) else { return false }
        try device.tidy(actions, relay)
        return true
    }
}
