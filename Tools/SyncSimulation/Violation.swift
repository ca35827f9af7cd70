import KeychainSync

/// A promise that a run broke.
struct Violation: Error, CustomStringConvertible {
    enum Invariant: String {
        /// In the end, all members have the same items.
        case convergence
        /// In the end, members have the greatest valid version of each item.
        case nothingLost
        /// A version in memory never becomes smaller.
        case neverBack
        /// The keychain contains the state that memory describes.
        case contained
        /// Stamps are at most 50 hours ahead of the simulation's time (sync.md §4.2).
        case stamp
        /// Every item was written by a device.
        case nothingInvented
        /// All members agree on the set of members.
        case circle
        /// Members can open everything.
        case keys
        /// Removed peers cannot open later entries.
        case secrecy
        /// A member that knows of a removal accepts no later entries of the removed peer.
        case removal
        /// Every device reports all real forks, rollbacks and gaps, and no others.
        case notices
        /// The run ends.
        case quiescence
    }

    let invariant: Invariant
    let text: String

    init(_ invariant: Invariant, _ text: String) {
        self.invariant = invariant
        self.text = text
    }

    var description: String { "\(invariant.rawValue): \(text)" }
}
