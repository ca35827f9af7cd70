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
    /// Whether items whose version only removed devices told are told again.
    package var republishesForRemovedPeers = true
    /// Whether a change too far ahead of the clock waits.
    package var limitsStamps = true
    /// Whether a keeper says again what is not on the chain.
    package var saysAgain = true
    /// Whether a device tells again what it told under links that are not on the chain.
    package var tellsAgain = true
    /// Whether a local change that nobody has yet stays unpublished over a restart.
    package var keepsUnpublished = true
    /// Whether a checkpoint has every change of its device that still wins.
    package var checkpointsAreWhole = true

    /// The least count of segments before a checkpoint.
    package var checkpointSegmentCount = 64
    package var circle = CircleRules()

    package init() {}

    /// What sync.md says.
    package static let specified = MergeRules()
}

/// How links are made and chosen; a simulation turns rules around to show that it notices.
package struct CircleRules: Sendable, Hashable {
    /// Whether the last of the order decides between two branches.
    package var reversesOrder = false
    /// Whether whom a link removes gets a box with the new key.
    package var sealsForRemoved = false
    /// Whether the greater digest wins where nobody in the order decides.
    package var greaterDigestWins = false

    package init() {}
}
