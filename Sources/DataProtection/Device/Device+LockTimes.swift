import KeychainModel

// Locking at the right moment, for a process that keeps running. A daemon has a timer, and the
// timer's calls never count as use.
//
// Source: requirement LCK-09; Documentation/Spec/keybag.md §5.
extension Device {
    /// Locks if idle time, time of day or a grace period requires it now.
    ///
    /// - Returns: The announcements to applications.
    /// - Throws: `storage`, `busy`, `damaged`, `missing`, the errors of the element, or
    ///   `cryptography`; the keys are wiped all the same.
    package mutating func lockIfDue(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        guard isLockDue(at: now) else { return [] }
        do throws(DeviceError) {
            try storage.withExclusiveLock { () throws(DeviceError) in
                // Another process may have used or locked the device.
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

    /// Returns the time until the unused device has to lock; nil if time does not lock it.
    package func timeToLock(at now: DeviceInstant) -> Duration? {
        lockSchedule.timeToLock(at: now)
    }

    /// Wipes the keys for "while unlocked" and ends the shared session; `lock(grace:at:)` follows.
    ///
    /// It waits for nothing, so other processes notice the end of the session even if one of them
    /// holds the storage's lock.
    package mutating func evictNow(at now: DeviceInstant) {
        apply(.lock(grace: .zero), at: now)
        guard isPasscodeSet, sessions != nil else { return }
        // `lock` reports errors that prevent the lock from being recorded.
        try? beginEpoch(at: now, locking: true)
    }

    /// Locks and wipes even the keys for "after first unlock", as at the start of the machine.
    ///
    /// As after any lock on purpose, only a person can unlock it, not a stored passcode.
    /// - Throws: `storage` if the lock cannot be made to apply to other processes.
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
