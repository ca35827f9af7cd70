// The facts that a daemon knows about a request in advance: who may make it, and with which proof.
//
// Laws  (1) A request without a verb, and a verb without a row, do not compile.
//       (2) A daemon decides about rights only by these rows. Access groups are separate: the
//           engine compares them for every item.
//
// SECURITY.md has the same table; a test compares them.

/// The facts about a request that are known before any of it is carried out.
package struct RequestFacts: Sendable, Hashable {
    /// The programs that may make the request.
    package let asker: Asker
    package let proof: Proof
    /// The state that the request may change.
    package let change: Change
    /// Whether the keychain guards less afterwards, or the caller obtains data that it guards.
    package let weakens: Bool
    /// Whether the keychain is unlocked afterwards.
    package let unlocks: Bool
    /// The condition for a line in the account's log.
    package let line: Line
    /// The reason for the proof, as a phrase.
    package let reason: String

    package init(
        _ asker: Asker,
        _ proof: Proof,
        _ change: Change,
        weakens: Bool = false,
        unlocks: Bool = false,
        line: Line = .always,
        _ reason: String
    ) {
        self.asker = asker
        self.proof = proof
        self.change = change
        self.weakens = weakens
        self.unlocks = unlocks
        self.line = line
        self.reason = reason
    }

    /// The programs that may make a request.
    package enum Asker: String, CaseIterable, Sendable, Hashable {
        /// Any program of the account, at any level of evidence.
        case anyProgram = "any program"
        /// A program to which root's policy assigns the identifier `keychain`.
        ///
        /// The installed policies require the level `verified`.
        case command = "the command"
        /// A program to which root's policy assigns the identifier `keychain-sync`.
        case synchronizer = "keychain-sync"
        /// The verified program `keychain-agent`.
        case agent = "the agent"
        /// Refused by a daemon for every program.
        case nobody
    }

    /// The proof that a request needs first.
    package enum Proof: Sendable, Hashable {
        case none
        /// The proof that the access control of the item or key requires.
        case accessControl
        /// The passcode in the request itself, verified with it; the attempt counts.
        case passcodeInRequest(unless: Exemption?)
        /// The passcode, proven in the same session since the last lock and the last change of the
        /// passcode.
        case passcodeInSession(unless: Exemption?)
    }

    /// The condition under which no proof is needed.
    package enum Exemption: String, CaseIterable, Sendable, Hashable {
        /// No passcode is set yet.
        case noPasscode = "no passcode is set"
        /// The keychain locks at least as early as before, or has no passcode.
        case notWeaker = "it locks no later"
        /// The daemon has no keychain of the account, or one that was never touched.
        case neverTouched = "the keychain was never touched"
        /// A person proved the passcode to found or join the circle, whose records exist.
        case circleKept = "a circle was joined"
    }

    /// The kinds of state that a request may change.
    package enum Change: String, CaseIterable, Sendable, Hashable {
        case nothing
        /// The lock state, or the proofs of a context.
        case session = "the session"
        case items
        /// Keys that wrap data stored elsewhere: files, and handles of keys.
        case keys = "keys kept elsewhere"
        case passcode = "the passcode"
        case settings
        case grants
        /// The records of a circle, and items.
        case circle
        /// The rows that count as the right ones.
        case rows = "accepted rows"
        /// The account's choice of keychain.
        case keychain = "the whole keychain"

        /// Whether a keychain counts as touched afterwards.
        package var touches: Bool { self != .nothing && self != .session }
    }

    /// The condition for a log line.
    package enum Line: Sendable, Hashable {
        case always
        /// Perhaps after the reply, if the search succeeds or finds nothing.
        case soon
        /// Only for a program without the right.
        case refusals
        case never
    }
}
