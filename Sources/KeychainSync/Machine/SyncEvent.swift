/// Something that happened to the keychain, the relay, or the device itself.
package enum SyncEvent: Sendable {
    /// All synchronizable items and tombstones of the keychain at one moment.
    ///
    /// `now` is in milliseconds since 1970.
    case scanned([LocalItem], now: Int64)
    /// The time in milliseconds since 1970, without a scan.
    case clock(now: Int64)
    /// Links of the circle were read.
    case linked([Link])
    /// This device made a link.
    case said(Link)
    /// The device has these keys from now on.
    ///
    /// `lost` are all of its keys that nobody can get from the key in force.
    case keyed(Set<SealName>, lost: Set<SealName>)
    /// The range of entry numbers that the relay has of each stream.
    case listed([StreamName: Range<UInt64>])
    /// The next segment of a stream was verified and opened.
    ///
    /// `foreign` are the items whose class this keychain does not synchronize.
    case read(EntryMark, Segment<ChangeMark>, foreign: Set<ItemName> = [])
    /// The next entry of a stream has nothing that counts.
    ///
    /// It is a request, or it names a link that is not on the chain.
    case passedOver(EntryMark)
    /// The next entry of a stream says that its author leaves.
    case left(EntryMark)
    /// A segment of the device's own stream was recorded, with these changes.
    case wrote(EntryMark, Segment<ChangeMark>)
    /// An entry other than a segment was recorded in the device's own stream.
    case wroteOther(EntryMark)
    /// The device writes this stream from now on.
    case began(StreamName)
}

/// The place, digest and link of an entry.
package struct EntryMark: Sendable, Hashable {
    package let place: EntryPlace
    package let digest: SyncDigest
    /// The link that the entry names; zeros unless it is a segment.
    package let link: SyncDigest

    package init(_ place: EntryPlace, _ digest: SyncDigest, link: SyncDigest) {
        self.place = place
        self.digest = digest
        self.link = link
    }
}

/// One item as a scan found it.
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
