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
        /// Stamps follow §2.
        case stamp
        /// All items were written by somebody.
        case nothingInvented
        /// All members agree on the set of members.
        case circle
        /// Members can open everything.
        case keys
        /// Removed peers cannot open later entries.
        case secrecy
        /// A member that knows of a removal accepts no later entries of the removed peer.
        case removal
        /// Everybody is told of all real forks, rollbacks and gaps, and of no others.
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
