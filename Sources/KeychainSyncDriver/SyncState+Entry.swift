import KeychainSync
import SyncRelay

extension SyncState {
    /// What an entry that was read before says of an item; nil if the relay does not show it now.
    func content(of apply: ItemApply, _ relay: some Relay) throws(SyncFailure) -> ItemContent? {
        let place = apply.source
        let entries = try fromRelay(
            try relay.sound(of: place.peer, from: place.number, byteCountLimit: 1)
        )
        guard let bytes = entries.first, let keys = machine?.circle?.peers[place.peer]?.keys else {
            return nil
        }
        var statements = statements
        do throws(SyncError) {
            let shown = try UnverifiedEntry(bytes, of: membership.account, at: place, after: nil)
            let entry = try SignedEntry(shown, signedBy: keys)
            guard let key = epochKeys[entry.header.epoch] else { return nil }
            let segment = try entry.segment(under: key.secret, &statements)
            return segment.changes.first { $0.mark == apply.mark }?.content
        } catch {
            guard case .backend = error else { return nil }
            throw .format(error)
        }
    }
}
