/// The state of a device about its circle's items and streams.
///
/// A driver stores it, so that the device can continue after its process was killed. `CircleChain`
/// has the state about links.
///
/// - Source: Documentation/Spec/sync.md §8.
package struct SyncMemory: Sendable, Equatable {
    /// The name of the device itself.
    package let peer: KeyName
    /// The stream that it writes now.
    package var stream: StreamName
    /// The winning version of each known item, with tombstones until they are forgotten.
    package var versions: [ItemName: KnownVersion] = [:]
    /// The state of each stream that was read, and of the device's own.
    package var streams: [StreamName: StreamMemory] = [:]
    package var own = OwnStream()
    /// The names of the keys that the device has.
    package var keys: Set<SealName> = []

    /// Creates the state of a device that has read nothing yet.
    package init(of stream: StreamName) {
        peer = stream.device
        self.stream = stream
    }
}

/// The winning version of an item, as far as a device knows.
package struct KnownVersion: Sendable, Hashable {
    package var mark: ChangeMark
    /// The entry that told it; nil for a version that was made here and is in no entry yet.
    package var source: EntryPlace?
    /// The link that this entry names; zeros if `source` is nil.
    package var link: SyncDigest
    /// Whether this keychain contains it; false for classes that it does not synchronize.
    package var isHeld: Bool

    /// Creates a version that was made here.
    package init(_ mark: ChangeMark, isHeld: Bool) {
        self.mark = mark
        self.isHeld = isHeld
        link = .zeros
    }

    /// Creates a version that an entry told.
    package init(_ mark: ChangeMark, from source: EntryPlace, link: SyncDigest, isHeld: Bool) {
        self.mark = mark
        self.source = source
        self.link = link
        self.isHeld = isHeld
    }
}

/// The reading position in one stream, and the positions that other devices report.
package struct StreamMemory: Sendable, Hashable {
    /// The most digests in `recent`.
    package static let recentCount = 128

    /// The last entry that was read or, in the device's own stream, written.
    package var head = StreamHead.none
    /// The link that the last entry names; zeros before the first one.
    package var stand = SyncDigest.zeros
    /// For each link off the chain, the head before the first entry that was passed over for it.
    package var skipped: [SyncDigest: StreamHead] = [:]
    /// The digests of the latest entries, oldest first, to compare with the heads of others.
    package var recent: [SyncDigest] = []
    /// The last head that each other device reported for this stream.
    package var claims: [KeyName: StreamHead] = [:]
    /// The devices that read a different entry than this device did.
    package var forkedBy: Set<KeyName> = []

    package init() {}
}

/// The state of a device's own stream.
package struct OwnStream: Sendable, Hashable {
    /// The largest count of its entries that the relay has shown.
    package var publishedCount: UInt64 = 0
    /// The number of segments since its last checkpoint, including that one.
    package var segmentCount = 0
    /// The number of changes in these segments.
    package var changeCount = 0
    /// The number of the first entry of the last checkpoint; nil if there is none.
    package var checkpoint: UInt64?
    /// Whether all segments of that checkpoint were written.
    package var isCheckpointComplete = false
    /// The link that the entry at `checkpoint` names; zeros before it is written.
    package var checkpointLink = SyncDigest.zeros
    /// Whether another checkpoint is due, because the chain dropped the link of the last one.
    package var owesCheckpoint = false
    /// The streams whose heads this device has not reported since it read on.
    package var untoldHeads: Set<StreamName> = []
    /// The links that this device made, in the order in which it made them.
    package var said: [SyncDigest] = []
    /// The devices that said that they leave; a removed name stays, because it never returns.
    package var leaving: Set<KeyName> = []

    package init() {}
}

/// The parts of the state that changed since they were last stored.
package struct MemoryChanges: Sendable, Equatable {
    package var versions: Set<ItemName> = []
    package var streams: Set<StreamName> = []
    package var own = false

    package init() {}

    package var isEmpty: Bool { self == MemoryChanges() }
}
