import KeychainSync

/// Rules that a run follows: those of sync.md, or with one of them turned around.
struct Rules {
    var merge = MergeRules.specified
    /// Whether a device records an entry before the relay gets it.
    var recordsFirst = true
    /// Whether a keychain refuses a transaction if an item changed since the scan.
    var refusesConflicts = true

    /// Mistakes that a simulation has to find, by their names.
    static let plants: [(name: String, turn: @Sendable (inout Rules) -> Void)] = [
        ("older-wins", { $0.merge.winner = .earlier }),
        ("last-to-arrive-wins", { $0.merge.winner = .latestToArrive }),
        ("smaller-digest-wins", { $0.merge.tie = .smallerDigest }),
        ("first-to-arrive-wins", { $0.merge.tie = .firstToArrive }),
        ("tombstones-ignored", { $0.merge.takesTombstones = false }),
        ("tombstones-are-final", { $0.merge.takesEditsOverTombstones = false }),
        ("clock-believed", { $0.merge.followsReplacedStamp = false }),
        ("missing-ignored", { $0.merge.buriesMissingItems = false }),
        ("removed-not-retold", { $0.merge.republishesForRemovedPeers = false }),
        ("removed-still-heard", { $0.merge.endsRemovedStreams = false }),
        ("crash-forgets", { $0.merge.keepsUnpublished = false }),
        ("checkpoint-forgets", { $0.merge.checkpointsAreWhole = false }),
        ("record-after-append", { $0.recordsFirst = false }),
        ("edits-overwritten", { $0.refusesConflicts = false }),
    ]

    init() {}

    /// Nothing, if there is no such plant.
    init?(planting name: String) {
        guard let plant = Self.plants.first(where: { $0.name == name }) else { return nil }
        plant.turn(&self)
    }
}
