import DataProtection
import KeychainModel

// Locks by time in a process that keeps running, at the moment instead of before its next call.
extension Engine {
    /// Locks if idle time, time of day or a grace period requires it now; never counts as use.
    ///
    /// - Returns: The time until the next check is due; nil if time does not lock the keychain.
    /// - Throws: The error that prevents the lock from being recorded; the keys are wiped all the
    ///   same.
    package func lockIfDue() throws(KeychainError) -> Duration? {
        try work { state throws(KeychainError) in
            try state.lockIfDue()
            return state.session.device.timeToLock(at: environment.instant())
        }
    }

    /// Returns the lock settings and the lock state, or the last known ones if the files are
    /// unreadable.
    package func lockFacts() throws(KeychainError) -> LockFacts {
        try enterToLock { state throws(KeychainError) in
            LockFacts(
                settings: state.session.device.lockSettings,
                state: state.session.device.state.lockState,
                isPasscodeSet: state.session.device.isPasscodeSet
            )
        }
    }

    /// Locks, and forgets the first unlock since the machine started.
    ///
    /// Every key that the passcode guards is wiped.
    package func forgetFirstUnlock() throws(KeychainError) {
        try lockAndWait(.forgettingFirstUnlock)
    }
}

/// The facts that decide when the keychain locks.
package struct LockFacts: Sendable, Hashable {
    package let settings: LockSettings
    package let state: LockState
    package let isPasscodeSet: Bool

    package init(settings: LockSettings, state: LockState, isPasscodeSet: Bool) {
        self.settings = settings
        self.state = state
        self.isPasscodeSet = isPasscodeSet
    }
}
