// Definitions  "account": a user ID; "used": somebody is logged in, and the session does not end.
// Invariants   (1) The end of a delay of sleep comes after every lock that the sleep asks for.
//              (2) An account is logged out exactly when it had a used session and has none now.
//              (3) "The screen is locked" is reported once per change for each account, and a lock
//                  comes with every change to locked.
//              (4) No event unlocks anything.

/// What is to be done because of logind.
package enum LoginEffect: Sendable, Hashable {
    /// Lock the account's keychain now.
    case lock(UInt32)
    /// Lock every keychain whose settings ask for it, and return when the keys are gone.
    case lockBeforeSleep
    /// Have the machine wait with its next sleep.
    case delaySleep
    /// Let the machine sleep.
    case endDelay
    /// The machine is awake: times have passed that no timer saw.
    case awake
    /// The account's last session ended.
    case loggedOut(UInt32)
    /// From now on a screen of the account is locked, or none is.
    case screen(UInt32, isLocked: Bool)
}

/// What happened, for `LoginState`.
package enum LoginNews: Sendable, Equatable {
    /// A connection began; these are the sessions now.
    case connected([LoginSession])
    /// These are the sessions now.
    case sessions([LoginSession])
    case lock(session: String)
    case sleep(isAhead: Bool)
}

/// The sessions of a machine, and what follows from their changes: a pure state machine.
package struct LoginState: Sendable {
    /// The one account to watch; nil for all.
    private let account: UInt32?
    /// The sessions of the accounts that are watched.
    package private(set) var sessions: [LoginSession] = []

    package init(account: UInt32? = nil) { self.account = account }

    /// Takes what happened and returns what to do, in order.
    package mutating func handle(_ news: LoginNews) -> [LoginEffect] {
        switch news {
        case .connected(let sessions): [.delaySleep] + replace(sessions)
        case .sessions(let sessions): replace(sessions)
        case .lock(let path):
            sessions.filter { $0.path == path }.map { .lock($0.userID) }
        case .sleep(isAhead: true): [.lockBeforeSleep, .endDelay]
        case .sleep(isAhead: false): [.delaySleep, .awake]
        }
    }

    /// Whether a session is known.
    package func knows(_ path: String) -> Bool { sessions.contains { $0.path == path } }

    private mutating func replace(_ all: [LoginSession]) -> [LoginEffect] {
        let before = sessions
        sessions = all.filter { account == nil || $0.userID == account }
        let accounts = Set((before + sessions).map(\.userID)).sorted()
        return accounts.flatMap { account in
            Self.effects(
                for: account,
                before.filter { $0.userID == account && $0.isUsed },
                sessions.filter { $0.userID == account && $0.isUsed }
            )
        }
    }

    private static func effects(
        for account: UInt32,
        _ before: [LoginSession],
        _ now: [LoginSession]
    ) -> [LoginEffect] {
        var effects: [LoginEffect] = []
        let wasLocked = before.contains(where: \.isScreenLocked)
        let isLocked = now.contains(where: \.isScreenLocked)
        if wasLocked != isLocked { effects.append(.screen(account, isLocked: isLocked)) }
        if !wasLocked, isLocked { effects.append(.lock(account)) }
        if !before.isEmpty, now.isEmpty { effects.append(.loggedOut(account)) }
        return effects
    }
}
