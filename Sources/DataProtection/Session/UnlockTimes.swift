import KeychainModel

/// The times of the last unlock and of the last use since, which lock settings are compared with.
///
/// The processes of a user share them in the record of the lock epoch.
/// - Source: Documentation/Spec/keybag.md §5.
struct UnlockTimes: Sendable, Equatable {
    /// The size in the record in bytes.
    static let byteCount = 32

    /// The latest local minute that a record may contain: about two million years from now.
    private static let localMinuteLimit = UInt64(1) << 40

    /// The uptime of the last use; it lags by at most a tenth of the idle limit.
    var lastUse: Duration

    /// The uptime of the unlock.
    let unlocked: Duration

    /// The time for which the machine had been suspended by then.
    let suspended: Duration

    /// The time of the unlock in local minutes since 1970; 0 if no time of day was set.
    let localMinute: UInt64

    /// Creates the times of an unlock at this moment.
    init(at now: DeviceInstant, localMinute: UInt64) {
        lastUse = now.uptime
        unlocked = now.uptime
        suspended = now.suspended
        self.localMinute = min(localMinute, Self.localMinuteLimit)
    }

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(duration: lastUse)
        bytes.append(duration: unlocked)
        bytes.append(duration: suspended)
        bytes.append(integer: localMinute)
        return bytes
    }

    init(from fields: inout ByteReader, fault: (String) -> DeviceError) throws(DeviceError) {
        lastUse = try fields.duration()
        unlocked = try fields.duration()
        suspended = try fields.duration()
        localMinute = try fields.integer(UInt64.self)
        guard localMinute <= Self.localMinuteLimit else { throw fault("its time is out of range") }
    }
}

extension LockSettings {
    /// The action that the settings require before a call starts.
    enum DueAction: Equatable {
        case nothing
        /// Record the use, for other processes, too.
        case noteUse
        case lock
    }

    /// The threshold for sleep: readings of one machine's clocks differ by less.
    private static let shortestSleep = Duration.milliseconds(100)

    /// Compares the settings with the clocks.
    ///
    /// - Parameters:
    ///   - unlockTimes: The times of the current unlock.
    ///   - now: The current moment.
    ///   - localMinute: Returns its local time; called only if a time of day is set.
    /// - Returns: The action to take first.
    func dueAction(
        since unlockTimes: UnlockTimes,
        at now: DeviceInstant,
        localMinute: () -> UInt64
    ) -> DueAction {
        if dueLock(since: unlockTimes, at: now, localMinute: localMinute) != nil { return .lock }
        guard let idleSeconds else { return .nothing }
        let limit = Duration.seconds(Int64(idleSeconds))
        return now.uptime - unlockTimes.lastUse >= limit / 10 ? .noteUse : .nothing
    }

    /// Returns the setting that locks now, as a cause; nil if none does.
    func dueLock(
        since unlockTimes: UnlockTimes,
        at now: DeviceInstant,
        localMinute: () -> UInt64
    ) -> LockCause? {
        if onSleep, Self.distance(unlockTimes.suspended, now.suspended) >= Self.shortestSleep {
            return .sleep
        }
        if let minuteOfDay {
            let passed = Self.minutes(from: unlockTimes.unlocked, to: now.uptime)
            // Setting a clock back gains nothing: the minutes of uptime since the unlock count.
            let present = max(localMinute(), unlockTimes.localMinute + passed)
            let next = Self.next(minuteOfDay, after: unlockTimes.localMinute)
            if present >= next { return .timeOfDay }
        }
        guard let idleSeconds else { return nil }
        let limit = Duration.seconds(Int64(idleSeconds))
        // Another process may have read the clock later than this one. A use that is further ahead
        // than the limit cannot be real.
        return Self.distance(unlockTimes.lastUse, now.uptime) >= limit ? .idle : nil
    }

    /// Returns the time from a moment until the settings lock an unused device.
    ///
    /// - Parameters:
    ///   - unlockTimes: The times of the current unlock.
    ///   - now: The moment.
    ///   - localSecond: Returns its local time in seconds since 1970; called only if a time of day
    ///     is set.
    /// - Returns: nil if only sleep locks, or nothing.
    func timeToLock(
        since unlockTimes: UnlockTimes,
        at now: DeviceInstant,
        localSecond: () -> UInt64
    ) -> Duration? {
        let idle = idleSeconds.map { seconds in
            Duration.seconds(Int64(seconds)) - Self.distance(unlockTimes.lastUse, now.uptime)
        }
        let daily = minuteOfDay.map { minute in
            let target = Self.next(minute, after: unlockTimes.localMinute)
            let byClock = Duration.seconds(
                Int64(clamping: target) * 60 - Int64(clamping: localSecond())
            )
            // Setting a clock back gains nothing.
            let byUptime =
                unlockTimes.unlocked
                + .seconds(Int64(clamping: target - unlockTimes.localMinute) * 60) - now.uptime
            return min(byClock, byUptime)
        }
        return [idle, daily].compactMap(\.self).min().map { max($0, .zero) }
    }

    private static func distance(_ one: Duration, _ other: Duration) -> Duration {
        one < other ? other - one : one - other
    }

    private static func minutes(from start: Duration, to end: Duration) -> UInt64 {
        UInt64(clamping: max(.zero, end - start).components.seconds / 60)
    }

    /// Returns the first local minute after `start` at which a day has that minute.
    private static func next(_ minuteOfDay: UInt16, after start: UInt64) -> UInt64 {
        let day = UInt64(dayMinutes.count)
        let sameDay = start - start % day + UInt64(minuteOfDay)
        return sameDay > start ? sameDay : sameDay + day
    }
}
