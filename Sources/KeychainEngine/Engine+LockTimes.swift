import DataProtection
import KeychainModel

// For a process that stays, and locks at the moment instead of before its next call.
extension Engine {
    /// Locks if idle time, time of day or a grace period ask for it now; never counts as use.
    ///
    /// - Returns: How long it is until the next look is due; nil if time does not lock it.
    /// - Throws: What keeps the lock from being recorded; the keys are gone all the same.
    package func lockIfDue() throws(KeychainError) -> Duration? {
        try work { state throws(KeychainError) in
            try state.lockIfDue()
            return state.session.device.timeToLock(at: environment.instant())
        }
    }

    /// The lock settings and the lock state, or what was last seen of them where the files cannot
    /// be read.
    package func lockFacts() throws(KeychainError) -> LockFacts {
        try enterToLock { state throws(KeychainError) in
            LockFacts(
                settings: state.session.device.lockSettings,
                state: state.session.device.state.lockState,
                isPasscodeSet: state.session.device.isPasscodeSet
            )
        }
    }

    /// Locks, and forgets that anybody unlocked since the machine started: every key that the
    /// passcode guards leaves.
    package func forgetFirstUnlock() throws(KeychainError) {
        try lockAndWait(.forgettingFirstUnlock)
    }
}

/// What a lock depends on.
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
