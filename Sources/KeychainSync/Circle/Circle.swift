import Cryptography

/// Who is in a circle, and which epochs it has: what a set of statements says.
///
/// The order in which the statements arrived does not matter.
///
/// - Source: Documentation/Spec/sync.md §4, §5.
package struct Circle: Sendable, Hashable {
    /// A peer that is or was in the circle.
    package struct Peer: Sendable, Hashable {
        package let keys: PeerKeys
        package let deviceName: String
        /// A peer or the recovery key; nil for the founder.
        package let addedBy: PeerName?
        /// How many entries of its stream count if it was removed, or 0 if the statement that
        /// added it does not count; nil for a member.
        package internal(set) var entryCount: UInt64?
        /// A peer or the recovery key; nil for a member, and if it never was one.
        package internal(set) var removedBy: PeerName?
    }

    /// A key that seals segments.
    package struct Epoch: Sendable, Hashable {
        package let name: EpochName
        package let maker: PeerName
        /// The entry of the maker's stream that told of it first.
        package let entry: UInt64
        package let recipients: Set<PeerName>
        /// The removed peers that the maker knew of.
        package let removed: Set<PeerName>
        /// Whether no removed peer can have it.
        package internal(set) var isClean: Bool
    }

    /// By their names, with those that were removed.
    package internal(set) var peers: [PeerName: Peer] = [:]
    /// In the order of the statements that made them.
    package internal(set) var epochs: [Epoch] = []
    /// The removals and new recovery keys that do not count, by their digests.
    package internal(set) var uncounted: Set<SyncDigest> = []
    /// The recovery key's public keys.
    package internal(set) var recovery: PeerKeys
    /// What the recovery key signs as, and gets keys as.
    package internal(set) var recoveryName: PeerName
    /// The generation of the next statement.
    package internal(set) var nextGeneration: UInt64

    /// Nothing, if the founding statement is missing.
    package init?(
        founding: SyncDigest,
        statements: some Collection<Statement>
    ) throws(CryptographyError) {
        let fold = CircleFold(founding: founding, statements: statements)
        guard let circle = try fold?.circle() else { return nil }
        self = circle
    }

    init(recovery: PeerKeys, named recoveryName: PeerName, nextGeneration: UInt64) {
        self.recovery = recovery
        self.recoveryName = recoveryName
        self.nextGeneration = nextGeneration
    }

    /// Whether a peer is in the circle now.
    package func hasMember(_ peer: PeerName) -> Bool {
        guard let peer = peers[peer] else { return false }
        return peer.entryCount == nil
    }

    /// Whether a peer may be added: it is not in the circle, and never was.
    ///
    /// That somebody added it who could not is no matter.
    package func mayJoin(_ peer: PeerName) -> Bool {
        guard let peer = peers[peer] else { return true }
        return peer.entryCount != nil && peer.removedBy == nil
    }

    /// The peers that were in the circle, or never counted, in the order of their names.
    package var removed: [PeerName] {
        peers.filter { $0.value.entryCount != nil }.keys.sorted()
    }

    /// The peers that are in the circle now, in the order of their names.
    package var members: [PeerName] {
        peers.filter { $0.value.entryCount == nil }.keys.sorted()
    }

    /// Whom a new epoch is for.
    package var epochReaders: EpochReaders {
        EpochReaders(members + [recoveryName], removed: removed)
    }

    /// Whether changes of an entry count: it is by a member, or among the first of a removed peer.
    package func counts(_ place: EntryPlace) -> Bool {
        guard let peer = peers[place.peer] else { return false }
        return peer.entryCount.map { place.number < $0 } ?? true
    }
}
