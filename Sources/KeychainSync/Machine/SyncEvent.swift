/// What happened to a device's keychain, its relay, or itself.
package enum SyncEvent: Sendable {
    /// All items and tombstones of the keychain that are synchronized, at one moment; the time in
    /// milliseconds since 1970.
    case scanned([LocalItem], now: Int64)
    /// The time in milliseconds since 1970, where nothing was scanned.
    case clock(now: Int64)
    /// Links of the circle.
    case linked([Link])
    /// A link that this device made.
    case said(Link)
    /// Keys that this device has from now on; and all that it has and nobody gets from the key in
    /// force.
    case keyed(Set<SealName>, lost: Set<SealName>)
    /// The entries that the relay has.
    case listed([StreamName: Range<UInt64>])
    /// The next segment of a stream, verified and opened.
    ///
    /// `foreign` are the items that this keychain does not synchronize, by their class.
    case read(EntryMark, Segment<ChangeMark>, foreign: Set<ItemName> = [])
    /// The next entry of a stream has nothing that counts: a request, or an entry under a link that
    /// is not on the chain.
    case passedOver(EntryMark)
    /// The next entry of a stream says that its author leaves.
    case left(EntryMark)
    /// A segment of the device's own was recorded, with the changes that are in it.
    case wrote(EntryMark, Segment<ChangeMark>)
    /// Another entry of the device's own was recorded.
    case wroteOther(EntryMark)
    /// The device writes another stream from now on.
    case began(StreamName)
}

/// Which entry it is.
package struct EntryMark: Sendable, Hashable {
    package let place: EntryPlace
    package let digest: SyncDigest
    /// The link that it names; zeros for a request.
    package let link: SyncDigest

    package init(_ place: EntryPlace, _ digest: SyncDigest, link: SyncDigest) {
        self.place = place
        self.digest = digest
        self.link = link
    }
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
