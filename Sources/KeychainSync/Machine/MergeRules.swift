/// How two versions of an item become one; a simulation turns rules around to show that it notices.
package struct MergeRules: Sendable, Hashable {
    package enum Winner: Sendable, Hashable {
        case later, earlier, latestToArrive
    }
    package enum Tie: Sendable, Hashable {
        case greaterDigest, smallerDigest, firstToArrive
    }

    package var winner = Winner.later
    package var tie = Tie.greaterDigest
    /// Whether a tombstone wins like an edit; else it never replaces an item.
    package var takesTombstones = true
    /// Whether an edit wins over an earlier tombstone.
    package var takesEditsOverTombstones = true
    /// Whether a change is later than what it replaced even if its clock is behind.
    package var followsReplacedStamp = true
    /// Whether an item that left without a tombstone gets one.
    package var buriesMissingItems = true
    /// Whether items whose version only removed peers told are told again.
    package var republishesForRemovedPeers = true
    /// Whether entries of a removed peer beyond those that count are left out.
    package var endsRemovedStreams = true
    /// Whether a local change that nobody has yet stays unpublished over a restart.
    package var keepsUnpublished = true
    /// Whether a checkpoint has every change of its peer that still wins.
    package var checkpointsAreWhole = true

    package init() {}

    /// What sync.md says.
    package static let specified = MergeRules()
}
