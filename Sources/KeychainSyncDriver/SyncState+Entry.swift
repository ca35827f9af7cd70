import KeychainSync
import SyncRelay

extension SyncState {
    /// Begins to read streams; if the chain or the keys changed, all waiting entries are due.
    mutating func beginReading() {
        let head = machine.chain.head?.link.digest
        if head != entryRetriesHead || keys.count != entryRetriesKeyCount {
            entryRetries = Retries()
        }
        (entryRetriesHead, entryRetriesKeyCount) = (head, keys.count)
        entryRetries.begin()
    }

    func isDue(_ stream: StreamRead) -> Bool { entryRetries.isDue(stream) }

    mutating func noteWait(of stream: StreamRead) { entryRetries.fail(stream) }

    /// Fetches an item's content again from its entry; nil if the relay does not have it now.
    func content(of apply: ItemApply, _ relay: some Relay) throws(SyncFailure) -> ItemContent? {
        let place = apply.source
        let entries = try fromRelay(
            try relay.sound(of: place.stream, from: place.number, byteCountLimit: 1)
        )
        guard let bytes = entries.first, let device = machine.circle?.members[place.stream.device]
        else { return nil }
        do throws(SyncError) {
            let shown = try UnverifiedEntry(bytes, of: membership.account, at: place, after: nil)
            let entry = try SignedEntry(shown, signedBy: device.keys)
            guard let name = machine.chain.seal(at: entry.header.link), let key = keys[name]
            else { return nil }
            let segment = try entry.segment(under: key.secret)
            return segment.changes.first { $0.mark == apply.mark }?.content
        } catch {
            guard case .backend = error else { return nil }
            throw .format(error)
        }
    }
}
