// What a daemon knows of a request before it does anything: who may ask, and what has to be proven.
//
// Laws  (1) A request without a verb, and a verb without a row, do not compile.
//       (2) A daemon decides about rights by these rows alone. Access groups are another matter:
//           the engine compares them for every item.
//
// SECURITY.md has the same table; a test compares them.

/// What is known of a request before anything of it is carried out.
package struct RequestFacts: Sendable, Hashable {
    /// Which program may ask.
    package let asker: Asker
    package let proof: Proof
    /// What the request may change.
    package let change: Change
    /// Whether a keychain guards less afterwards, or somebody has what it guards.
    package let weakens: Bool
    /// Whether the keychain is unlocked afterwards.
    package let unlocks: Bool
    /// What the daemon writes to the account's log.
    package let line: Line
    /// Why it takes this proof, as a phrase.
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

    /// Who may ask.
    package enum Asker: String, CaseIterable, Sendable, Hashable {
        /// Any program of the account, whatever its level.
        case anyProgram = "any program"
        /// A program to which root's policy gives the identifier `keychain`; the policies that are
        /// installed demand the level `verified`.
        case command = "the command"
        /// The same for `keychain-sync`.
        case synchronizer = "keychain-sync"
        /// The verified program `keychain-agent`.
        case agent = "the agent"
        /// Nobody, of a daemon.
        case nobody
    }

    /// What somebody has to prove first.
    package enum Proof: Sendable, Hashable {
        case none
        /// What the access control of the item, or of the key, demands.
        case accessControl
        /// The passcode in the request itself, verified with it; the attempt counts.
        case passcodeInRequest(unless: Exemption?)
        /// The passcode, proven by the same session since the last lock and the last change of the
        /// passcode.
        case passcodeInSession(unless: Exemption?)
    }

    /// Where no proof is needed.
    package enum Exemption: String, CaseIterable, Sendable, Hashable {
        /// There is no passcode yet.
        case noPasscode = "no passcode is set"
        /// The keychain locks at least as early as before, or has no passcode to lock with.
        case notWeaker = "it locks no later"
        /// The daemon has no keychain of the account, or one that was never touched.
        case neverTouched = "the keychain was never touched"
        /// Somebody proved the passcode to found or join the circle, whose records are there.
        case circleKept = "a circle was joined"
    }

    /// What a request may change.
    package enum Change: String, CaseIterable, Sendable, Hashable {
        case nothing
        /// Whether the keychain is locked, or what a context has proven.
        case session = "the session"
        case items
        /// Keys that wrap what is kept elsewhere: files, and handles of keys.
        case keys = "keys kept elsewhere"
        case passcode = "the passcode"
        case settings
        case grants
        /// The records of a circle, and items.
        case circle
        /// Which rows count as those that were written.
        case rows = "accepted rows"
        /// Which keychain the account has.
        case keychain = "the whole keychain"

        /// Whether a keychain counts as touched afterwards.
        package var touches: Bool { self != .nothing && self != .session }
    }

    /// When a line is written.
    package enum Line: Sendable, Hashable {
        case always
        /// After the reply, if it found something or nothing.
        case soon
        /// For a program without the right alone.
        case refusals
        case never
    }
}
