import KeychainModel

/// The facts that locks by time depend on, as of the device's last use.
///
/// It is a copy that a timer can read while another thread uses the device.
package struct LockSchedule: Sendable {
    /// The settings for automatic locking.
    package let settings: LockSettings
    package let state: LockState
    package let isPasscodeSet: Bool
    let isProtectedDataAvailable: Bool
    let unlockTimes: UnlockTimes
    let evictionDeadline: DeviceInstant?
    let localTime: @Sendable (Int64) -> Int64

    /// Returns the time until the unused device has to lock; nil if time does not lock it.
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
    /// The storage of shared sessions; nil for a device that does not share them.
    package var sharedSessions: (any SessionImageStorage)? { sessions }

    /// The present facts that locks by time depend on.
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
