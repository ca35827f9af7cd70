/// The reading position of a device in a stream.
package struct StreamHead: Sendable, Hashable {
    /// The number of entries read, counted from the beginning of the stream.
    package let entryCount: UInt64
    /// The digest of the last of these entries; zeros if there are none.
    package let digest: SyncDigest

    package init(entryCount: UInt64, digest: SyncDigest) {
        self.entryCount = entryCount
        self.digest = digest
    }

    /// The position before the first entry.
    package static let none = StreamHead(entryCount: 0, digest: .zeros)
}

/// The content of a segment; `Change` is `ItemChange` with the item's content, or `ChangeMark`.
///
/// - Source: Documentation/Spec/sync.md §4.1.
package struct Segment<Change: Sendable>: Sendable {
    package var isCheckpoint = false
    /// The author's heads of the streams it has read on since its last entry; at most 64.
    package var heads: [StreamName: StreamHead] = [:]
    package var changes: [Change] = []

    package init() {}
}

/// The place of an entry: its stream, and its number in it.
package struct EntryPlace: Sendable, Hashable {
    package let stream: StreamName
    package let number: UInt64

    package init(_ stream: StreamName, _ number: UInt64) {
        self.stream = stream
        self.number = number
    }
}
