import KeychainSync

/// A promise that a run broke.
struct Violation: Error, CustomStringConvertible {
    enum Invariant: String {
        /// All members have the same items in the end.
        case convergence
        /// They have, of each item, the greatest version of all that count.
        case nothingLost
        /// A version in memory never becomes smaller.
        case neverBack
        /// The keychain contains what memory says.
        case contained
        /// Stamps are what §2 says.
        case stamp
        /// Nothing appears that nobody wrote.
        case nothingInvented
        /// Everybody says the same of who is a member.
        case circle
        /// Members can open everything.
        case keys
        /// Removed peers cannot open what comes later.
        case secrecy
        /// What a removed peer writes later is taken by nobody who knows.
        case removal
        /// Nobody is told of forks, rollbacks and gaps that are none; everybody of those that are.
        case notices
        /// It ends.
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
