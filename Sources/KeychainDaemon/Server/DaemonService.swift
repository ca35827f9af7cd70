import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import KeychainServer

/// The service of a daemon: a keychain for every account, or for its own.
package struct DaemonService: SessionService {
    /// The rules and listeners of a daemon.
    package struct Rules: Sendable {
        package var kind: DaemonKind
        /// The account that a user daemon serves.
        package var ownAccount: UInt32
        /// The profiles of its keychains.
        package var profiles: Profiles
        /// Judges the evidence about a program.
        package var judge: @Sendable (Evidence) -> JudgedCaller
        /// Throws for a request that is not allowed while a screen is locked.
        package var admit: @Sendable (Request, JudgedCaller) throws(KeychainError) -> Void
        /// Moves keychains in and out; nil for a daemon without keychains of its own.
        package var moves: MoveRequests?
        /// Called after every call that may have changed the lock state or the lock settings.
        package var deviceChanged: @Sendable () -> Void = {}
        /// Receives a line for the daemon's output, with the account that caused it.
        package var report: @Sendable (String, UInt32) -> Void
        /// Called when nothing was sent for a while.
        package var rest: @Sendable () -> Void = {}

        package init(
            kind: DaemonKind,
            ownAccount: UInt32,
            profiles: Profiles,
            judge: @escaping @Sendable (Evidence) -> JudgedCaller,
            admit: @escaping @Sendable (Request, JudgedCaller) throws(KeychainError) -> Void = {
                _,
                _ in
            },
            report: @escaping @Sendable (String, UInt32) -> Void = { _, _ in }
        ) {
            self.kind = kind
            self.ownAccount = ownAccount
            self.profiles = profiles
            self.judge = judge
            self.admit = admit
            self.report = report
        }
    }

    let rules: Rules
    let keychains: AccountKeychains

    package init(_ rules: Rules, _ keychains: AccountKeychains) {
        self.rules = rules
        self.keychains = keychains
    }

    package func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession {
        guard rules.kind == .system || evidence.userID == rules.ownAccount else {
            let reason =
                "this daemon serves account \(rules.ownAccount) alone, and the program runs as"
                + " account \(evidence.userID)"
            throw KeychainError(.notAvailable, reason)
        }
        return DaemonSession(rules, keychains, rules.judge(evidence))
    }

    package func rest() { rules.rest() }

    package func noteRefusal(_ error: KeychainError, of peer: String, account: UInt32) {
        rules.report("refused \(peer): \(error.reason)", account)
    }
}
