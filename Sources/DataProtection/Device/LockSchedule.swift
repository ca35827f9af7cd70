import KeychainModel

/// What a lock by time depends on, as it was when the device was last used: a copy that a clock
/// can look at while somebody else is with the device.
package struct LockSchedule: Sendable {
    /// When the device locks by itself.
    package let settings: LockSettings
    package let state: LockState
    package let isPasscodeSet: Bool
    let isProtectedDataAvailable: Bool
    let unlockTimes: UnlockTimes
    let evictionDeadline: DeviceInstant?
    let localTime: @Sendable (Int64) -> Int64

    /// How long from now until it has to lock if nobody uses it; nil if time alone does not lock
    /// it.
    package func timeToLock(at now: DeviceInstant) -> Duration? {
        guard isPasscodeSet, isProtectedDataAvailable else { return nil }
        if isDue(at: now) { return .zero }
        let grace = evictionDeadline.map { $0.uptime - now.uptime }
        let byTime = settings.timeToLock(since: unlockTimes, at: now) {
            UInt64(clamping: localTime(now.wallClock))
        }
        return [grace, byTime].compactMap(\.self).min()
    }

    private func isDue(at now: DeviceInstant) -> Bool {
        if let evictionDeadline, now.hasReached(evictionDeadline) { return true }
        guard settings.isTimed else { return false }
        let action = settings.dueAction(since: unlockTimes, at: now) {
            UInt64(clamping: localTime(now.wallClock) / 60)
        }
        return action == .lock
    }
}

extension Device {
    /// Where what was unlocked is shared; nil for nowhere.
    package var sharedSessions: (any SessionImageStorage)? { sessions }

    /// What a lock by time depends on now.
    package var lockSchedule: LockSchedule {
        LockSchedule(
            settings: lockSettings,
            state: state.lockState,
            isPasscodeSet: isPasscodeSet,
            isProtectedDataAvailable: state.isProtectedDataAvailable,
            unlockTimes: unlockTimes,
            evictionDeadline: state.evictionDeadline,
            localTime: localTime
        )
    }
}
