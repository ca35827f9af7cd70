/// What a driver has to do at once.
package enum SyncAction: Sendable, Hashable {
    /// The keychain lost an item without a tombstone: put one in, dated now, and scan again.
    /// Until then nothing is read.
    case bury(ItemName)
    /// Remove the entries of the peer's own stream before this one from the relay.
    case trim(before: UInt64)
    /// Tell the person.
    case tell(SyncNotice)
}

/// What a reader notices.
///
/// - Source: Documentation/Spec/sync.md §7.
package enum SyncNotice: Sendable, Hashable {
    /// This peer was removed from the circle.
    case removed
    /// Another peer read another entry with that number.
    case forked(EntryPlace)
    /// The relay shows fewer entries than before.
    case rolledBack(PeerName, known: UInt64, listed: UInt64)
    /// Another peer has read more entries than the relay shows; maybe they come later.
    case withheld(PeerName, claimed: UInt64, listed: UInt64)
    /// The peer's own stream has entries that it does not know; it was put back.
    case restored(known: UInt64, listed: UInt64)
    /// The entries before this one are gone, and it is no checkpoint.
    case incomplete(EntryPlace)
}

/// What has to be in one transaction: the items that change, and what the memory learned.
package struct SyncTransaction: Sendable {
    /// In the order of their items.
    package var applies: [ItemApply] = []
    package var changes = MemoryChanges()

    package init() {}
}

/// An item that other peers changed.
package struct ItemApply: Sendable, Hashable {
    package let mark: ChangeMark
    /// The entry that has its content.
    package let source: EntryPlace
    /// What the keychain contained when it was scanned; nil if it had no such item.
    package let replaced: SyncDigest?

    package init(_ mark: ChangeMark, from source: EntryPlace, replacing replaced: SyncDigest?) {
        self.mark = mark
        self.source = source
        self.replaced = replaced
    }
}

/// A stream that has entries to be read.
package struct StreamRead: Sendable, Hashable {
    package let peer: PeerName
    /// What the next entry follows; if the relay has removed that, it begins with a checkpoint.
    package let after: StreamHead
    package let first: UInt64

    package init(_ peer: PeerName, after: StreamHead, first: UInt64) {
        self.peer = peer
        self.after = after
        self.first = first
    }
}

/// The next entry that a peer has to write.
package enum EntryPlan: Sendable {
    /// An entry of keys: for each peer, or the recovery key, the epochs that it gets; none for a
    /// removed peer. Each box has all statements of the memory. Then `wroteKeys`.
    case keys([PeerName: Set<EpochName>])
    /// A segment under the key of the epoch. Then `wrote`. If the keychain has another content of
    /// one of the items by now, nothing is written before the next scan.
    case segment(Segment<ChangeMark>, under: EpochName)
    /// A new epoch: an entry of keys with it for each of these (the peer itself and the recovery
    /// key are among them), then a segment under the earlier epoch with the `rotate` statement
    /// added. Both are recorded together. Then `received`, `wroteKeys`, `wrote`.
    case epoch(EpochReaders, Segment<ChangeMark>, under: EpochName)
}
