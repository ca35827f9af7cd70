import KeychainModel

// Locking by idle time, time of day and sleep. No process waits for the moment: each compares the
// settings with the clocks before it serves a call.
//
// Source: requirement LCK-09; Documentation/Spec/keybag.md §5.
extension Device {
    /// The settings for automatic locking.
    package var lockSettings: LockSettings { keybag.record.lockSettings }

    /// Whether the next call has to lock, or to record its own use.
    ///
    /// Without a timed setting, this does not even read the clock.
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

    /// Returns the setting that locks now, as a cause; nil if none does.
    func dueLock(at now: DeviceInstant) -> LockCause? {
        lockSettings.dueLock(since: unlockTimes, at: now) { localMinute(of: now) }
    }

    /// Carries out the due action; the caller holds the exclusive lock and has followed the epoch.
    mutating func performDueLockAction(at now: DeviceInstant) {
        switch dueLockAction(at: now) {
        case .nothing: return
        case .lock:
            apply(.lock(grace: .zero), because: dueLock(at: now), at: now)
            // The keys are gone. If that cannot be recorded, other processes still notice the time.
            renewEpoch(at: now)
        case .noteUse:
            unlockTimes.lastUse = now.uptime
            noteMarks()
        }
    }

    /// Counts an authorized change of passcode as use during the whole change.
    ///
    /// Stretching may take longer than the idle limit. A lock on purpose still counts, and so does
    /// a lock by time, day or sleep in another process.
    /// - Throws: `storage`, `busy`, `damaged`, `missing`, the errors of the element, or
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

    /// Shares the unlock times and their settings with other processes.
    private mutating func noteMarks() {
        // If they cannot be written, other processes lock a little earlier.
        guard let revised = try? epoch?.revised(unlockTimes, isLocked: false),
            (try? Self.store(revised, in: storage)) != nil
        else { return }
        epoch = revised
    }

    /// Records an unlock as the moment from which time counts.
    mutating func markUnlock(at now: DeviceInstant) {
        let minute = lockSettings.minuteOfDay == nil ? 0 : localMinute(of: now)
        unlockTimes = UnlockTimes(at: now, localMinute: minute)
    }

    private func localMinute(of now: DeviceInstant) -> UInt64 {
        UInt64(clamping: localTime(now.wallClock) / 60)
    }

    /// Changes the settings for automatic locking, and counts from now; durable on return.
    ///
    /// - Throws: `locked` unless the device is unlocked, so that the time of a locked device
    ///   cannot be extended; `storage`, `busy`, `damaged`, `missing`, the errors of the
    ///   element, or `cryptography`.
    package mutating func setLockSettings(
        _ settings: LockSettings,
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            // Keys that another process has locked must not be shared again.
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
