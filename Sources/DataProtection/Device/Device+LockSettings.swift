import KeychainModel

// Locking by idle time, time of day and sleep. No process waits for the moment: each holds the
// settings against the clocks before it serves a call.
//
// Source: requirement LCK-09; Documentation/Spec/keybag.md §5.
extension Device {
    /// When the device locks by itself.
    package var lockSettings: LockSettings { keybag.record.lockSettings }

    /// Whether the next call has to lock, or to write down that there was one.
    ///
    /// Without a setting the clock is not even looked at.
    package func hasDueLockAction(at now: @autoclosure () -> DeviceInstant) -> Bool {
        guard lockSettings.isTimed else { return false }
        return dueLockAction(at: now()) != .nothing
    }

    func dueLockAction(at now: DeviceInstant) -> LockSettings.DueAction {
        guard lockSettings.isTimed, isPasscodeSet, state.isProtectedDataAvailable else {
            return .nothing
        }
        let action = lockSettings.dueAction(since: unlockTimes, at: now) { localMinute(of: now) }
        return action == .noteUse && !countsUse ? .nothing : action
    }

    /// Which of the settings locks now; nil if none does.
    func dueLock(at now: DeviceInstant) -> LockCause? {
        lockSettings.dueLock(since: unlockTimes, at: now) { localMinute(of: now) }
    }

    /// Does what the settings ask for; under the storage's exclusive lock, the epoch followed.
    mutating func performDueLockAction(at now: DeviceInstant) {
        switch dueLockAction(at: now) {
        case .nothing: return
        case .lock:
            apply(.lock(grace: .zero), because: dueLock(at: now), at: now)
            // The keys are gone; where that cannot be recorded, the others see the time as well.
            renewEpoch(at: now)
        case .noteUse:
            unlockTimes.lastUse = now.uptime
            noteMarks()
        }
    }

    /// Counts as use that somebody who proved the passcode had it changed all the while: stretching
    /// may take longer than the idle limit.
    ///
    /// Who locked on purpose meanwhile, or let time, day or sleep lock in another process, has
    /// locked.
    /// - Throws: `storage`, `busy`, `damaged`, `missing`, what the element throws, or
    ///   `cryptography`.
    package mutating func noteUse(
        by allowed: AllowedChange,
        at now: DeviceInstant
    ) throws(DeviceError) {
        guard lockSettings.idleSeconds != nil, isPasscodeSet else { return }
        try storage.withExclusiveLock { () throws(DeviceError) in
            if !isKeybagSame || !isEpochCurrent {
                try reload(at: now)
                try followEpoch(at: now)
            }
            guard state.lockState == .unlocked, keybag.record.passcode == allowed.present else {
                return
            }
            unlockTimes.lastUse = now.uptime
            noteMarks()
        }
    }

    /// Shares the unlock times and their settings with the other processes.
    private mutating func noteMarks() {
        // Where they cannot be written, the others lock a while earlier.
        guard let revised = try? epoch?.revised(unlockTimes, isLocked: false),
            (try? Self.store(revised, in: storage)) != nil
        else { return }
        epoch = revised
    }

    /// Marks an unlock: from now on time counts.
    mutating func markUnlock(at now: DeviceInstant) {
        let minute = lockSettings.minuteOfDay == nil ? 0 : localMinute(of: now)
        unlockTimes = UnlockTimes(at: now, localMinute: minute)
    }

    private func localMinute(of now: DeviceInstant) -> UInt64 {
        UInt64(clamping: localTime(now.wallClock) / 60)
    }

    /// Sets when the device locks by itself, and counts from now; durable when the call returns.
    ///
    /// - Throws: `locked` unless the device is unlocked, so that nobody lengthens the time of a
    ///   device that they cannot open; `storage`, `busy`, `damaged`, `missing`, what the element
    ///   throws, or `cryptography`.
    package mutating func setLockSettings(
        _ settings: LockSettings,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            // What another process locked meanwhile must not be shared anew.
            if !isEpochCurrent { try followEpoch(at: now) }
            guard state.lockState == .unlocked else { throw DeviceError.locked(.whenUnlocked) }
            let storage = self.storage
            try keybag.setLockSettings(settings) { bytes throws(DeviceError) in
                try Self.save(bytes, in: storage)
            }
            stamp = try Self.stamp(in: storage)
            markUnlock(at: now)
            if isPasscodeSet { shareSession(at: now) } else { noteMarks() }
        }
        return takeAnnouncements()
    }
}
