import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import LoginEvents
import Synchronization

// Definitions  "open": this process has an engine for the account's keychain. A keychain that is
//              not open has no keys in memory.
// Invariants   (1) Requesting a lock does not wait for a thread in an engine, because the
//                  requesting threads serve all accounts. Sleep waits until the keys are wiped.
//              (2) A fault of one keychain does not prevent another one from locking.
//              (3) Nothing here unlocks.

/// The locks of a daemon's keychains that logind, a clock or a locked screen requires.
///
/// - Source: Documentation/Spec/locking.md.
package final class KeychainLocks: Sendable {
    private struct Seen {
        var lockedScreens: Set<UInt32> = []
        var sessions: [LoginSession] = []
    }

    private let seen = Mutex(Seen())
    /// The accounts whose lock by time is requested but not carried out yet.
    private let due = Mutex<Set<UInt32>>([])
    private let courier = LockCourier()
    private let companions: CompanionPrograms
    private let keychains: @Sendable () -> [UInt32: Engine]
    private let note: @Sendable (String) -> Void
    private let locked: @Sendable (UInt32, String) -> Void

    /// Creates the locks of a daemon's keychains.
    ///
    /// - Parameters:
    ///   - companions: Recognizes the PAM helper.
    ///   - keychains: Returns the keychains that are open now, by account.
    ///   - note: Receives a sentence for the daemon's own output.
    ///   - locked: Called with the account and the reason after each lock.
    package init(
        companions: CompanionPrograms,
        keychains: @escaping @Sendable () -> [UInt32: Engine],
        note: @escaping @Sendable (String) -> Void,
        locked: @escaping @Sendable (UInt32, String) -> Void = { _, _ in }
    ) {
        self.locked = locked
        self.companions = companions
        self.keychains = keychains
        self.note = note
    }

    /// Takes the present sessions of logind.
    package func take(_ sessions: [LoginSession]) {
        seen.withLock { $0.sessions = sessions }
    }

    /// Returns the IDs of an account's sessions in the foreground of their seats.
    package func activeSessions(of account: UInt32) -> Set<String> {
        seen.withLock { seen in
            let active = seen.sessions.filter { $0.userID == account && $0.isActive && $0.isUsed }
            return Set(active.map(\.id))
        }
    }

    /// Reacts to an event of logind.
    ///
    /// It returns when every affected keychain is marked, so that it releases nothing more.
    /// - Parameters:
    ///   - effect: The reaction.
    ///   - delay: Keeps the machine awake until the keys are wiped.
    package func perform(_ effect: LoginEffect, delaying delay: SleepDelay? = nil) {
        switch effect {
        case .lock(let account):
            guard let engine = keychains()[account] else { return }
            lock([account: engine], .ifOpened, "a session was locked")
        case .lockAll:
            lock(keychains(), .ifOpened, "a session was locked, and logind does not say whose")
        case .lockBeforeSleep:
            // If the settings cannot be read, it locks.
            let meant = keychains().filter { _, engine in
                engine.lockFactsNow()?.settings.onSleep != false
            }
            lock(meant, .ifOpened, "the machine goes to sleep", keeping: delay)
        case .loggedOut(let account):
            if let engine = keychains()[account] { end(account, engine) }
        case .screen(let account, let isLocked):
            seen.withLock { seen in
                if isLocked {
                    seen.lockedScreens.insert(account)
                } else {
                    seen.lockedScreens.remove(account)
                }
            }
        case .awake: _ = lockWhatIsDue()
        case .delaySleep, .endDelay: break
        }
    }

    private func end(_ account: UInt32, _ engine: Engine) {
        if engine.lockFactsNow()?.settings.onLogout == false {
            lock([account: engine], .ifOpened, "the last session ended")
        } else {
            let why = "the last session ended, and nobody has unlocked it since"
            lock([account: engine], .forgettingFirstUnlock, why)
        }
    }

    /// Marks all engines first, and then locks each as soon as it is free.
    private func lock(
        _ engines: [UInt32: Engine],
        _ request: LockRequest,
        _ why: String,
        keeping delay: SleepDelay? = nil
    ) {
        for (account, engine) in engines {
            engine.markLock(request) { [self] outcome in
                report(account, why, outcome)
                withExtendedLifetime(delay) {}
            }
        }
        for engine in engines.values { courier.carryOut(engine) }
    }

    private func noteLock(of account: UInt32, _ why: String) {
        note("locked the keychain of account \(account), because \(why)")
    }

    private func report(_ account: UInt32, _ why: String, _ outcome: LockOutcome) {
        switch outcome {
        case .locked:
            noteLock(of: account, why)
            locked(account, why)
        case .nothing: break
        case .unrecorded(let error):
            note("locked the keychain of account \(account), but not on disk: \(error.reason)")
            locked(account, "\(why), and the lock is not on disk")
        }
    }
}

// Times.
extension KeychainLocks {
    /// The interval for checking a keychain whose lock is requested but not carried out yet.
    private static let nextLook = Duration.seconds(1)

    /// Locks every keychain that idle time, time of day or a grace period requires.
    ///
    /// - Returns: The time until the next check; nil if no keychain locks by time.
    package func lockWhatIsDue() -> Duration? {
        var next: Duration?
        for (account, engine) in keychains() {
            guard let time = engine.timeToLock() else { continue }
            next = min(next ?? time, time > .zero ? time : Self.nextLook)
            guard time <= .zero, due.withLock({ $0.insert(account).inserted }) else { continue }
            engine.markLock(.ifDue) { [self] outcome in
                due.withLock { _ = $0.remove(account) }
                let why = "its time had come"
                // `LockLines` logs locks by time.
                if case .locked = outcome { return noteLock(of: account, why) }
                report(account, why, outcome)
            }
            courier.carryOut(engine)
        }
        return next
    }
}

// Screens.
extension KeychainLocks {
    /// Whether a session of the account has a locked screen.
    package func isScreenLocked(of account: UInt32) -> Bool {
        seen.withLock { $0.lockedScreens.contains(account) }
    }

    /// Throws for an unlock of the account's keychain while one of its screens is locked.
    ///
    /// The login password itself is accepted, because a screen lock checks it through PAM while the
    /// screen is still locked.
    /// - Throws: `errSecInteractionNotAllowed`.
    package func requireUnlockedScreen(
        for request: Request,
        from caller: JudgedCaller
    ) throws(KeychainError) {
        guard request.verb.facts.unlocks, isScreenLocked(of: caller.evidence.userID),
            !companions.accept(caller, as: .login)
        else { return }
        throw KeychainError(
            .interactionNotAllowed,
            "a screen of this account is locked: unlock the screen first"
        )
    }
}
