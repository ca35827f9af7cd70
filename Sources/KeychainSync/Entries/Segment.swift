/// How far a device has read a stream.
package struct StreamHead: Sendable, Hashable {
    /// How many entries, from the beginning of the stream.
    package let entryCount: UInt64
    /// SHA-256 of the last of them; zeros for none.
    package let digest: SyncDigest

    package init(entryCount: UInt64, digest: SyncDigest) {
        self.entryCount = entryCount
        self.digest = digest
    }

    /// Nothing of a stream.
    package static let none = StreamHead(entryCount: 0, digest: .zeros)
}

/// The content of a segment; `Change` is a change with its content or without.
///
/// - Source: Documentation/Spec/sync.md §3.1.
package struct Segment<Change: Sendable>: Sendable {
    package var isCheckpoint = false
    /// How far the author had read streams, where it read on since it wrote last; at most 64.
    package var heads: [StreamName: StreamHead] = [:]
    package var changes: [Change] = []

    package init() {}
}

/// Where an entry stands.
package struct EntryPlace: Sendable, Hashable {
    package let stream: StreamName
    package let number: UInt64

    package init(_ stream: StreamName, _ number: UInt64) {
        self.stream = stream
        self.number = number
    }
}
