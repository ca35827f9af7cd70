/// What a driver has to do at once.
package enum SyncAction: Sendable, Hashable {
    /// The keychain lost an item without a tombstone: put one in, dated now, and scan again.
    /// Until then nothing is read.
    case bury(ItemName)
    /// Remove the entries of the device's own stream before this one from the relay.
    case trim(before: UInt64)
    /// The relay has entries of the device's own stream that it did not write: begin another one.
    case begin
    /// Tell the person.
    case tell(SyncNotice)
}

/// What a reader notices.
///
/// - Source: Documentation/Spec/sync.md §7.
package enum SyncNotice: Sendable, Hashable {
    /// This device was removed from the circle.
    case removed
    /// Another device read another entry with that number.
    case forked(EntryPlace, by: KeyName)
    /// The relay shows fewer entries than before.
    case rolledBack(StreamName, known: UInt64, listed: UInt64)
    /// Another device has read more entries than the relay shows; maybe they come later.
    case withheld(StreamName, claimed: UInt64, listed: UInt64)
    /// The device's own stream had entries that it did not write; it began another one.
    case restored(known: UInt64, listed: UInt64)
    /// The device's clock was ahead, so that others let its entries wait; it began another stream.
    case clockWasAhead
    /// Two links that follow the same one have the same signer: it was copied.
    case copied(KeyName)
    /// The chain no longer has the link that this device stood on.
    case dropped(SyncDigest)
}

/// Why an entry does not count, or not yet.
package enum EntryFault: Sendable, Hashable {
    /// It names a link that the relay does not show: nothing is written until it does.
    case unknownLink(SyncDigest)
    /// It names a link that is not on the chain; its author tells it again.
    case linkNotChosen(SyncDigest)
    /// This device does not have the key.
    case keyMissing(SealName)
    /// A change in it is more than 48 hours ahead of this device's clock.
    case aheadOfClock
    /// Entries before it are gone, and it is no checkpoint.
    case incomplete
    case wrongSignature
    /// It is not what a device writes; the reason in words.
    case damaged(String)
}

/// What has to be in one transaction: the items that change, and what the memory learned.
package struct SyncTransaction: Sendable {
    /// In the order of their items.
    package var applies: [ItemApply] = []
    package var changes = MemoryChanges()

    package init() {}
}

/// An item that other devices changed.
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
    package let stream: StreamName
    /// What the next entry follows; if the relay has removed that, it begins with a checkpoint.
    package let after: StreamHead
    package let first: UInt64
    /// The number after the last one that the relay has.
    package let end: UInt64

    package var place: EntryPlace { EntryPlace(stream, first) }

    package init(_ stream: StreamName, after: StreamHead, first: UInt64, end: UInt64) {
        self.stream = stream
        self.after = after
        self.first = first
        self.end = end
    }
}

/// What a device has to write next.
package enum WritePlan: Sendable {
    /// A link with these changes; then `said`.
    case link(Link.Changes)
    /// A segment that names this link, under this key. Then `wrote`. If the keychain has another
    /// content of one of the items by now, nothing is written before the next scan.
    case segment(Segment<ChangeMark>, link: SyncDigest, under: SealName)
}
