/// A signed sentence about who is in a circle; the circle follows from all of them.
///
/// - Source: Documentation/Spec/sync.md §4.
package struct Statement: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        case found(random: [UInt8], founder: PeerKeys, deviceName: String, recovery: PeerKeys)
        case add(PeerKeys, deviceName: String)
        /// `entryCount` entries of the peer's stream count, and of its statements only these; nil
        /// in statements of earlier versions: those of the entries that count.
        case remove(PeerName, entryCount: UInt64, counted: [SyncDigest]?)
        case rotate(EpochName, EpochReaders)
        /// Of the statements by the recovery key of before, only these count.
        case recover(PeerKeys, counted: [SyncDigest])
    }

    /// A peer, or the recovery key, whose name is made as that of a peer.
    package let author: PeerName
    package let generation: UInt64
    /// The number of the entry of the author's stream in which it first appeared; 0 for the
    /// recovery key.
    package let entry: UInt64
    package let action: Action
    /// Its bytes with the signature, which was verified.
    package let encoded: [UInt8]
    /// SHA-256 of these.
    package let digest: SyncDigest

    /// Whether somebody may lose something by it: membership, or being the recovery key.
    var takesAway: Bool {
        switch action {
        case .remove, .recover: true
        case .found, .add, .rotate: false
        }
    }

    package init(
        author: PeerName,
        generation: UInt64,
        entry: UInt64,
        action: Action,
        encoded: [UInt8],
        digest: SyncDigest
    ) {
        self.author = author
        self.generation = generation
        self.entry = entry
        self.action = action
        self.encoded = encoded
        self.digest = digest
    }
}
