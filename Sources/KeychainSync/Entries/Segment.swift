/// How far a peer has read a stream.
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
    /// How far the author had read the other streams.
    package var heads: [PeerName: StreamHead] = [:]
    package var statements: [Statement] = []
    package var changes: [Change] = []

    package init() {}
}

/// Where an entry stands.
package struct EntryPlace: Sendable, Hashable {
    package let peer: PeerName
    package let number: UInt64

    package init(_ peer: PeerName, _ number: UInt64) {
        self.peer = peer
        self.number = number
    }
}
