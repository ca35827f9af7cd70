import KeychainSync

/// Rules that a run follows: those of sync.md, or with one of them turned around.
struct Rules {
    var merge = MergeRules.specified
    /// Whether a device records an entry before the relay gets it.
    var recordsFirst = true
    /// Whether a keychain refuses a transaction if an item changed since the scan.
    var refusesConflicts = true

    /// A mistake that a simulation has to find.
    struct Plant: Sendable {
        let name: String
        /// One whose run finds it soon.
        let seed: UInt64
        let turn: @Sendable (inout Rules) -> Void

        init(_ name: String, seed: UInt64 = 1, turn: @escaping @Sendable (inout Rules) -> Void) {
            self.name = name
            self.seed = seed
            self.turn = turn
        }
    }

    static let plants = [
        Plant("older-wins") { $0.merge.winner = .earlier },
        Plant("last-to-arrive-wins") { $0.merge.winner = .latestToArrive },
        Plant("smaller-digest-wins") { $0.merge.tie = .smallerDigest },
        Plant("first-to-arrive-wins") { $0.merge.tie = .firstToArrive },
        Plant("tombstones-ignored") { $0.merge.takesTombstones = false },
        Plant("tombstones-are-final") { $0.merge.takesEditsOverTombstones = false },
        Plant("clock-believed") { $0.merge.followsReplacedStamp = false },
        Plant("missing-ignored") { $0.merge.buriesMissingItems = false },
        Plant("removed-not-retold", seed: 5) { $0.merge.republishesForRemovedPeers = false },
        Plant("removed-still-heard") { $0.merge.endsRemovedStreams = false },
        Plant("crash-forgets") { $0.merge.keepsUnpublished = false },
        Plant("checkpoint-forgets") { $0.merge.checkpointsAreWhole = false },
        Plant("record-after-append") { $0.recordsFirst = false },
        Plant("edits-overwritten", seed: 7) { $0.refusesConflicts = false },
    ]

    init() {}

    /// Nothing, if there is no such plant.
    init?(planting name: String) {
        guard let plant = Self.plants.first(where: { $0.name == name }) else { return nil }
        plant.turn(&self)
    }
}
