import KeychainModel

// Locking at the moment, for a process that stays: a daemon has a timer, and nothing that the timer
// does counts as use.
//
// Source: requirement LCK-09; Documentation/Spec/keybag.md §5.
extension Device {
    /// Locks if idle time, time of day or a grace period ask for it now.
    ///
    /// - Returns: What to announce.
    /// - Throws: `storage`, `busy`, `damaged`, `missing`, what the element throws, or
    ///   `cryptography`; if so, the keys are gone all the same.
    package mutating func lockIfDue(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        guard isLockDue(at: now) else { return [] }
        do throws(DeviceError) {
            try storage.withExclusiveLock { () throws(DeviceError) in
                // Another process may have used the device, or locked it.
                if !isKeybagSame || !isEpochCurrent {
                    try reload(at: now)
                    try followEpoch(at: now)
                }
                let hadGrace = state.evictionDeadline != nil
                apply(.timePassed, at: now)
                if dueLockAction(at: now) == .lock {
                    performDueLockAction(at: now)
                } else if hadGrace, state.evictionDeadline == nil {
                    renewEpoch(at: now)
                }
            }
        } catch {
            apply(.lock(grace: .zero), because: dueLock(at: now), at: now)
            throw error
        }
        return takeAnnouncements()
    }

    /// How long from now until it has to lock if nobody uses it; nil if time alone does not lock
    /// it.
    package func timeToLock(at now: DeviceInstant) -> Duration? {
        lockSchedule.timeToLock(at: now)
    }

    /// Wipes the keys for "while unlocked" before anything else is done to lock, and ends what was
    /// shared of the session; `lock(grace:at:)` follows.
    ///
    /// Waits for nobody: other processes meet the end of the session also where somebody keeps the
    /// storage's lock.
    package mutating func evictNow(at now: DeviceInstant) {
        apply(.lock(grace: .zero), at: now)
        guard isPasscodeSet, sessions != nil else { return }
        // `lock` reports what keeps the lock from being recorded.
        try? beginEpoch(at: now, locking: true)
    }

    /// Locks, and wipes the keys of "after first unlock" too, as when the machine starts.
    ///
    /// As after any lock on purpose, no source of a passcode unlocks it but a person.
    /// - Throws: `storage` if the lock cannot be made to hold for the other processes.
    package mutating func forgetFirstUnlock(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        guard isPasscodeSet else { return [] }
        apply(.reboot, at: now)
        do throws(DeviceError) {
            try storage.withExclusiveLock { () throws(DeviceError) in
                try beginEpoch(at: now, locking: true)
            }
        } catch { try beginEpoch(at: now, locking: true) }
        return takeAnnouncements()
    }

    private func isLockDue(at now: DeviceInstant) -> Bool {
        guard isPasscodeSet, state.isProtectedDataAvailable else { return false }
        return state.evictionDeadline.map(now.hasReached) ?? false
            || dueLockAction(at: now) == .lock
    }
}
