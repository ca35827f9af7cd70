/// What a peer knows; a driver stores it, so that the peer goes on after a kill.
///
/// - Source: Documentation/Spec/sync.md §8.
package struct SyncMemory: Sendable, Equatable {
    /// The peer itself.
    package let peer: PeerName
    /// The digest of the founding statement, which the circle code names.
    package let founding: SyncDigest
    /// The winning version of each item that ever was; tombstones stay for ever.
    package var versions: [ItemName: KnownVersion] = [:]
    /// Each stream that was read, and the peer's own.
    package var streams: [PeerName: StreamMemory] = [:]
    package var own = OwnStream()
    /// By their digests; whether they count is the circle's question.
    package var statements: [SyncDigest: Statement] = [:]
    /// The epochs whose keys the peer has.
    package var epochs: Set<EpochName> = []
    /// Which keys the peer's stream gave to whom; the recovery key is there by its name.
    package var sentKeys: [PeerName: Set<EpochName>] = [:]

    /// The memory of a peer that knows nothing yet.
    package init(of peer: PeerName, founding: SyncDigest) {
        self.peer = peer
        self.founding = founding
    }
}

/// The winning version of an item, as far as a peer knows.
package struct KnownVersion: Sendable, Hashable {
    package var mark: ChangeMark
    /// The entry that brought it; nil if it was made here and is in no entry yet.
    package var source: EntryPlace?
    /// Whether this keychain contains it; false for what it does not synchronize.
    package var isHeld: Bool

    package init(_ mark: ChangeMark, source: EntryPlace?, isHeld: Bool) {
        self.mark = mark
        self.source = source
        self.isHeld = isHeld
    }
}

/// How far a stream was read, and what its other readers said of it.
package struct StreamMemory: Sendable, Hashable {
    /// How many digests are kept to compare with the heads of others.
    package static let recentCount = 128

    /// What was read; of the peer's own stream, what was written.
    package var head = StreamHead.none
    /// How far changes were taken, if entries after that were read for their statements only.
    package var taken: StreamHead?
    /// The digests of the last entries, the head's at the end.
    package var recent: [SyncDigest] = []
    /// The digests of entries further on, by how many entries their readers had read.
    package var claims: [UInt64: SyncDigest] = [:]
    /// Whether somebody read another entry than this peer did.
    package var isForked = false

    package init() {}
}

/// What a peer knows of its own stream.
package struct OwnStream: Sendable, Hashable {
    /// How many of its entries the relay had at most.
    package var publishedCount: UInt64 = 0
    /// How many segments it has since its last checkpoint, with that.
    package var segmentCount = 0
    /// How many changes these have.
    package var changeCount = 0
    /// The first entry of the last checkpoint; nil if there is none.
    package var checkpoint: UInt64?
    /// Whether all of its segments were written.
    package var isCheckpointComplete = false
    /// The statements that it tells since its last checkpoint, with that.
    package var told: Set<SyncDigest> = []
    /// The removed peers that it gave the statements, so that they learn of it; and which removals
    /// and new recovery keys did not count then.
    package var farewells: [PeerName: Set<SyncDigest>] = [:]

    package init() {}
}

/// Which parts of a memory changed since they were last stored.
package struct MemoryChanges: Sendable, Equatable {
    package var versions: Set<ItemName> = []
    package var streams: Set<PeerName> = []
    package var statements: Set<SyncDigest> = []
    /// Of `sentKeys`.
    package var sentKeys: Set<PeerName> = []
    package var epochs = false
    package var own = false

    package init() {}

    package var isEmpty: Bool { self == MemoryChanges() }
}
