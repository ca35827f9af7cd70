import CallerEvidence
import KeychainEngine
import KeychainMessages
import KeychainModel
import LoginEvents
import Synchronization

// Definitions  "open": this process has an engine for the account's keychain. A keychain that is
//              not open has no keys in memory.
// Invariants   (1) `perform` returns when the keys are gone: sleep waits for it.
//              (2) What goes wrong with one keychain keeps no other from being locked.
//              (3) Nothing here unlocks.

/// Locks the keychains of a daemon when logind, a clock or a locked screen asks for it.
///
/// - Source: Documentation/Spec/locking.md.
package final class KeychainLocks: Sendable {
    private struct Seen {
        var lockedScreens: Set<UInt32> = []
        var sessions: [LoginSession] = []
    }

    private let seen = Mutex(Seen())
    private let companions: CompanionPrograms
    private let keychains: @Sendable () -> [UInt32: Engine]
    private let note: @Sendable (String) -> Void
    private let locked: @Sendable (UInt32, String) -> Void

    /// Locks for the keychains of a daemon.
    ///
    /// - Parameters:
    ///   - companions: Tells the PAM helper from other programs.
    ///   - keychains: The keychains that are open now, by account.
    ///   - note: Takes a sentence for the daemon's own output.
    ///   - locked: Hears which account's keychain was locked, and why.
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

    /// Takes the sessions as logind has them now.
    package func take(_ sessions: [LoginSession]) {
        seen.withLock { $0.sessions = sessions }
    }

    /// The identifiers of an account's sessions in the foreground of their seats.
    package func activeSessions(of account: UInt32) -> Set<String> {
        seen.withLock { seen in
            let active = seen.sessions.filter { $0.userID == account && $0.isActive && $0.isUsed }
            return Set(active.map(\.id))
        }
    }

    /// Does what follows from an event of logind.
    package func perform(_ effect: LoginEffect) {
        switch effect {
        case .lock(let account):
            if let engine = keychains()[account] { lock(account, engine, "a session was locked") }
        case .lockBeforeSleep: lockBeforeSleep()
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

    private func lockBeforeSleep() {
        for (account, engine) in keychains() {
            // Where the settings cannot be read it locks.
            guard (try? engine.lockFacts())?.settings.onSleep != false else { continue }
            lock(account, engine, "the machine goes to sleep")
        }
    }

    private func end(_ account: UInt32, _ engine: Engine) {
        guard (try? engine.lockFacts())?.settings.onLogout != false else {
            return lock(account, engine, "the last session ended")
        }
        report(account, "the last session ended, and nobody has unlocked it since") {
            () throws(KeychainError) in
            try engine.forgetFirstUnlock()
        }
    }

    private func lock(_ account: UInt32, _ engine: Engine, _ why: String) {
        guard (try? engine.lockFacts())?.state != .beforeFirstUnlock else { return }
        report(account, why) { () throws(KeychainError) in try engine.lock() }
    }

    private func report(
        _ account: UInt32,
        _ why: String,
        _ body: () throws(KeychainError) -> Void
    ) {
        do throws(KeychainError) {
            try body()
            note("locked the keychain of account \(account), because \(why)")
            locked(account, why)
        } catch {
            note("locked the keychain of account \(account), but not on disk: \(error.reason)")
            locked(account, "\(why), and the lock is not on disk")
        }
    }
}

// Times.
extension KeychainLocks {
    /// Locks what idle time, time of day or a grace period ask for.
    ///
    /// - Returns: How long until the next look is due; nil if no keychain locks by time.
    package func lockWhatIsDue() -> Duration? {
        var next: Duration?
        for (account, engine) in keychains() {
            do throws(KeychainError) {
                guard let time = try engine.lockIfDue() else { continue }
                next = min(next ?? time, time)
            } catch {
                note("locked the keychain of account \(account), but not on disk: \(error.reason)")
            }
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

    /// Refuses to unlock the account's keychain while one of its screens is locked.
    ///
    /// The login password itself may: a screen lock checks it through PAM while the screen still is
    /// locked.
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
