/// What a device knows of its circle's items and streams.
///
/// A driver stores it, so that the device goes on after a kill. What it knows of the circle's links
/// is in `CircleChain`.
///
/// - Source: Documentation/Spec/sync.md §8.
package struct SyncMemory: Sendable, Equatable {
    /// The device itself.
    package let peer: KeyName
    /// The stream that it writes now.
    package var stream: StreamName
    /// The winning version of each item that ever was.
    package var versions: [ItemName: KnownVersion] = [:]
    /// Each stream that was read, and the device's own.
    package var streams: [StreamName: StreamMemory] = [:]
    package var own = OwnStream()
    /// The keys that the device has.
    package var keys: Set<SealName> = []

    /// The memory of a device that knows nothing yet.
    package init(of stream: StreamName) {
        peer = stream.device
        self.stream = stream
    }
}

/// The winning version of an item, as far as a device knows.
package struct KnownVersion: Sendable, Hashable {
    package var mark: ChangeMark
    /// The entry that brought it; nil if it was made here and is in no entry.
    package var source: EntryPlace?
    /// The link that this entry names; zeros without an entry.
    package var link: SyncDigest
    /// Whether this keychain contains it; false for what it does not synchronize.
    package var isHeld: Bool

    /// A version that was made here.
    package init(_ mark: ChangeMark, isHeld: Bool) {
        self.mark = mark
        self.isHeld = isHeld
        link = .zeros
    }

    /// A version that an entry brought.
    package init(_ mark: ChangeMark, from source: EntryPlace, link: SyncDigest, isHeld: Bool) {
        self.mark = mark
        self.source = source
        self.link = link
        self.isHeld = isHeld
    }
}

/// How far a stream was read, and how far others say that they read it.
package struct StreamMemory: Sendable, Hashable {
    /// How many digests are kept to compare with the heads of others.
    package static let recentCount = 128

    /// What was read; of the device's own stream, what was written.
    package var head = StreamHead.none
    /// The link that its last entry names; zeros before there is one.
    package var stand = SyncDigest.zeros
    /// Links that are not on the chain, and where the first entry that names each was passed over.
    package var skipped: [SyncDigest: StreamHead] = [:]
    /// The digests of the last entries, the head's at the end.
    package var recent: [SyncDigest] = []
    /// How far each other device said last that it had read.
    package var claims: [KeyName: StreamHead] = [:]
    /// Who read another entry than this device did.
    package var forkedBy: Set<KeyName> = []

    package init() {}
}

/// What a device knows of its own stream.
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
    /// The link that this entry names; zeros before it was written.
    package var checkpointLink = SyncDigest.zeros
    /// Whether another checkpoint is due, because the chain dropped the link of the last one.
    package var owesCheckpoint = false
    /// The streams of which it read more than it told.
    package var untoldHeads: Set<StreamName> = []
    /// The links that this device made, in the order in which it made them.
    package var said: [SyncDigest] = []
    /// The devices that said that they leave, also when they are out: a name never returns.
    package var leaving: Set<KeyName> = []

    package init() {}
}

/// Which parts of a memory changed since they were last stored.
package struct MemoryChanges: Sendable, Equatable {
    package var versions: Set<ItemName> = []
    package var streams: Set<StreamName> = []
    package var own = false

    package init() {}

    package var isEmpty: Bool { self == MemoryChanges() }
}
