import KeychainSync

/// The rules of a run: those of sync.md, or with one of them reversed.
struct Rules {
    var merge = MergeRules.specified

    /// A deliberate mistake that the simulation has to find.
    struct Plant: Sendable {
        let name: String
        /// A seed whose run finds it soon.
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
        Plant("smaller-digest-wins") { $0.merge.tie = .smallerDigest },
        Plant("last-to-arrive-wins") { $0.merge.winner = .latestToArrive },
        Plant("tombstones-ignored") { $0.merge.takesTombstones = false },
        Plant("tombstones-are-final") { $0.merge.takesEditsOverTombstones = false },
        Plant("missing-ignored") { $0.merge.buriesMissingItems = false },
        Plant("removed-not-retold", seed: 18) { $0.merge.republishesForRemovedPeers = false },
        Plant("not-said-again", seed: 20) { $0.merge.saysAgain = false },
        Plant("crash-forgets") { $0.merge.keepsUnpublished = false },
        Plant("checkpoint-forgets", seed: 20) { $0.merge.checkpointsAreWhole = false },
        Plant("not-told-again", seed: 20) { $0.merge.tellsAgain = false },
        Plant("order-reversed") { $0.merge.circle.reversesOrder = true },
        Plant("boxes-for-removed") { $0.merge.circle.sealsForRemoved = true },
        Plant("stamps-unlimited") { $0.merge.limitsStamps = false },
    ]

    init() { merge.checkpointSegmentCount = 4 }

    /// Makes the rules with a mistake; nil if no mistake has this name.
    init?(planting name: String) {
        self.init()
        guard let plant = Self.plants.first(where: { $0.name == name }) else { return nil }
        plant.turn(&self)
    }
}
