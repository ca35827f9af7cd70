/// What happened to a peer's keychain, its relay, or itself.
package enum SyncEvent: Sendable {
    /// All items and tombstones of the keychain that are synchronized, at one moment.
    case scanned([LocalItem])
    /// The entries that the relay has.
    case listed([PeerName: Range<UInt64>])
    /// The next segment of a stream, verified and opened, with the digest of its entry.
    ///
    /// `foreign` are the items that this keychain does not synchronize, by their class.
    case read(EntryPlace, SyncDigest, Segment<ChangeMark>, foreign: Set<ItemName> = [])
    /// The next entry of a stream is one of keys, or a request: verified.
    case readOther(EntryPlace, SyncDigest)
    /// What a box for this peer contained. Boxes may be read ahead of the segments before them.
    case received(epochs: [EpochName], statements: [Statement])
    /// A segment of the peer's own was recorded, with the changes that are in it.
    case wrote(EntryPlace, SyncDigest, Segment<ChangeMark>)
    /// An entry of keys of the peer's own was recorded; which epochs it gives to whom.
    case wroteKeys(EntryPlace, SyncDigest, [PeerName: Set<EpochName>])
    /// A request of the peer's own was recorded.
    case wroteOther(EntryPlace, SyncDigest)
    /// The relay has other entries of the peer's own stream than were recorded; those from the
    /// head on are forgotten, and what they said is told again.
    case withdrew(to: StreamHead)
}

/// What a scan found of one item.
package struct LocalItem: Sendable, Hashable {
    package let item: ItemName
    package let digest: SyncDigest
    package let isTombstone: Bool
    /// Milliseconds since 1970.
    package let modified: Int64

    package init(item: ItemName, digest: SyncDigest, isTombstone: Bool, modified: Int64) {
        self.item = item
        self.digest = digest
        self.isTombstone = isTombstone
        self.modified = modified
    }
}
