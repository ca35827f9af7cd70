/// The rules by which two versions of an item become one.
///
/// A simulation changes single rules to show that it notices each violation.
package struct MergeRules: Sendable, Hashable {
    package enum Winner: Sendable, Hashable {
        case later, earlier, latestToArrive
    }
    package enum Tie: Sendable, Hashable {
        case greaterDigest, smallerDigest, firstToArrive
    }

    package var winner = Winner.later
    package var tie = Tie.greaterDigest
    /// Whether tombstones win like other versions; if false, they never replace an item.
    package var takesTombstones = true
    /// Whether a later edit wins over a tombstone.
    package var takesEditsOverTombstones = true
    /// Whether a change gets a later stamp than the version it replaces, even if the clock is
    /// behind.
    package var followsReplacedStamp = true
    /// Whether an item that vanished without a tombstone gets one.
    package var buriesMissingItems = true
    /// Whether members tell again the versions that only removed devices told.
    package var republishesForRemovedPeers = true
    /// Whether changes wait if they are too far ahead of the clock.
    package var limitsStamps = true
    /// Whether a keeper repeats its own link changes that are not on the chain.
    package var saysAgain = true
    /// Whether a device repeats the versions that it told under links that are not on the chain.
    package var tellsAgain = true
    /// Whether a local change that is in no entry yet stays unpublished after a restart.
    package var keepsUnpublished = true
    /// Whether a checkpoint contains every change of its device that still wins.
    package var checkpointsAreWhole = true

    /// The fewest segments in a stream before its device writes a checkpoint.
    package var checkpointSegmentCount = 64
    package var circle = CircleRules()

    package init() {}

    /// The rules of `sync.md`.
    package static let specified = MergeRules()
}

/// The rules by which links are made and chosen.
///
/// A simulation changes single rules to show that it notices each violation.
package struct CircleRules: Sendable, Hashable {
    /// Whether the order is reversed, so that its last key decides between two branches.
    package var reversesOrder = false
    /// Whether the devices that a link removes get a box with the new key.
    package var sealsForRemoved = false
    /// Whether the greater digest wins if no key in the order decides.
    package var greaterDigestWins = false

    package init() {}
}
