// Definitions  "account": a user ID; "used": with a logged-in user, and not closing.
// Invariants   (1) The delay of a sleep ends after every lock that the sleep requires.
//              (2) An account is logged out exactly when it had a used session and has none now.
//              (3) Each account's screen state is reported once for each change. A lock accompanies
//                  every change to locked.
//              (4) No event unlocks anything.
//              (5) The lock of a session locks, even if nobody says whose session it is.

/// An action that follows from logind's events.
package enum LoginEffect: Sendable, Hashable {
    /// Lock the account's keychain now.
    case lock(UInt32)
    /// Lock every keychain now: a session was locked, and nobody says whose it is.
    case lockAll
    /// Lock every keychain whose settings require it before sleep, and return when the keys are
    /// gone.
    case lockBeforeSleep
    /// Delay the machine's next sleep.
    case delaySleep
    /// Let the machine sleep.
    case endDelay
    /// The machine is awake: timers did not see the time that has passed.
    case awake
    /// The account's last session ended.
    case loggedOut(UInt32)
    /// From now on, one of the account's screens is locked, or none is.
    case screen(UInt32, isLocked: Bool)
}

/// The input of `LoginState`.
package enum LoginNews: Sendable, Equatable {
    /// A connection was made; these are the current sessions.
    case connected([LoginSession])
    /// The current sessions.
    case sessions([LoginSession])
    case lock(session: String)
    /// A session was locked that is not known, and logind does not say whose it is.
    case lockOfSomebody
    case sleep(isAhead: Bool)
}

/// The sessions of a machine, as a pure state machine that derives actions from their changes.
package struct LoginState: Sendable {
    /// The only account to watch; nil for all accounts.
    private let account: UInt32?
    /// The sessions of all accounts.
    package private(set) var sessions: [LoginSession] = []

    package init(account: UInt32? = nil) { self.account = account }

    /// Handles an event, and returns the actions in order.
    package mutating func handle(_ news: LoginNews) -> [LoginEffect] {
        switch news {
        case .connected(let sessions): [.delaySleep] + replace(sessions)
        case .sessions(let sessions): replace(sessions)
        case .lock(let path):
            sessions.filter { $0.path == path && watches($0.userID) }.map { .lock($0.userID) }
        case .lockOfSomebody: [account.map { .lock($0) } ?? .lockAll]
        case .sleep(isAhead: true): [.lockBeforeSleep, .endDelay]
        case .sleep(isAhead: false): [.delaySleep, .awake]
        }
    }

    /// Whether a session is known.
    package func knows(_ path: String) -> Bool { sessions.contains { $0.path == path } }

    private func watches(_ userID: UInt32) -> Bool { account == nil || userID == account }

    private mutating func replace(_ all: [LoginSession]) -> [LoginEffect] {
        let before = sessions
        sessions = all
        let accounts = Set((before + sessions).map(\.userID)).filter(watches).sorted()
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
