/// An action that the driver has to take at once.
package enum SyncAction: Sendable, Hashable {
    /// Add a tombstone, dated now, for an item that vanished from the keychain; then scan again.
    ///
    /// The machine reads no entries until then.
    case bury(ItemName)
    /// Remove from the relay all entries of the device's own stream before this number.
    case trim(before: UInt64)
    /// Begin another stream: the own stream does not match the relay, or the clock was ahead.
    case begin
    /// Show a notice to the user.
    case tell(SyncNotice)
}

/// A notice for the user: something that this device found in its circle or on its relay.
///
/// - Source: Documentation/Spec/sync.md §7.
package enum SyncNotice: Sendable, Hashable {
    /// This device was removed from the circle.
    case removed
    /// Another device read a different entry at this place.
    case forked(EntryPlace, by: KeyName)
    /// The relay shows fewer entries of a stream than before.
    case rolledBack(StreamName, known: UInt64, listed: UInt64)
    /// Another device has read more entries than the relay shows; they may only be delayed.
    case withheld(StreamName, claimed: UInt64, listed: UInt64)
    /// The relay's copy of the device's own stream does not match; the device began another stream.
    case restored(known: UInt64, listed: UInt64)
    /// The clock was ahead, so others hold its entries back; the device began another stream.
    case clockWasAhead
    /// A key signed two links with the same predecessor: somebody has a copy of it.
    case copied(KeyName)
    /// The chain no longer contains the link that was its end for this device.
    case dropped(SyncDigest)
}

/// The reason an entry does not count, or does not count yet.
package enum EntryFault: Sendable, Hashable {
    /// It names a link that the relay does not show; this device writes no segment until it does.
    case unknownLink(SyncDigest)
    /// It names a link that is not on the chain; its author repeats the changes.
    case linkNotChosen(SyncDigest)
    /// This device does not have the key that sealed it.
    case keyMissing(SealName)
    /// It has a change more than 48 hours ahead of this device's clock.
    case aheadOfClock
    /// The entries before it are gone, and it is no checkpoint.
    case incomplete
    case wrongSignature
    /// Its bytes break the format; the text gives the reason.
    case damaged(String)
}

/// The items and records that the driver has to change in one transaction.
package struct SyncTransaction: Sendable {
    /// The changes for the keychain, sorted by item.
    package var applies: [ItemApply] = []
    package var changes = MemoryChanges()

    package init() {}
}

/// A change that the keychain has to take from another device.
package struct ItemApply: Sendable, Hashable {
    package let mark: ChangeMark
    /// The entry that contains its content.
    package let source: EntryPlace
    /// The digest of the item at the last scan; nil if the keychain had no such item.
    package let replaced: SyncDigest?

    package init(_ mark: ChangeMark, from source: EntryPlace, replacing replaced: SyncDigest?) {
        self.mark = mark
        self.source = source
        self.replaced = replaced
    }
}

/// A stream with entries to read.
package struct StreamRead: Sendable, Hashable {
    package let stream: StreamName
    /// The head that the next entry follows, unless the relay dropped entries up to a checkpoint.
    package let after: StreamHead
    package let first: UInt64
    /// One more than the number of the last entry on the relay.
    package let end: UInt64

    package var place: EntryPlace { EntryPlace(stream, first) }

    package init(_ stream: StreamName, after: StreamHead, first: UInt64, end: UInt64) {
        self.stream = stream
        self.after = after
        self.first = first
        self.end = end
    }
}

/// The next thing that a device has to write.
package enum WritePlan: Sendable {
    /// A link with these changes; report it with `said`.
    case link(Link.Changes)
    /// A segment that names this link, sealed under this key; report it with `wrote`.
    ///
    /// If the keychain no longer has this content for one of the items, scan before you write.
    case segment(Segment<ChangeMark>, link: SyncDigest, under: SealName)
}
