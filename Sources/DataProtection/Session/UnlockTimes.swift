import KeychainModel

/// The times of the last unlock and of the last use since, which lock settings are compared with.
///
/// The processes of a user share them in the record of the lock epoch.
/// - Source: Documentation/Spec/keybag.md §5.
struct UnlockTimes: Sendable, Equatable {
    /// The size in the record in bytes.
    static let byteCount = 32

    /// The latest local minute that a record may tell: some million years from now.
    private static let localMinuteLimit = UInt64(1) << 40

    /// The uptime of the last use; it lags by a tenth of the idle limit at most.
    var lastUse: Duration

    /// The uptime of the unlock.
    let unlocked: Duration

    /// How long the machine had been suspended by then.
    let suspended: Duration

    /// The unlock in minutes of local time since 1970; 0 where no time of day was set.
    let localMinute: UInt64

    /// The times of an unlock at this moment.
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
    /// What a call has to do because of the settings before it starts.
    enum DueAction: Equatable {
        case nothing
        /// The use is to be written down, for the other processes too.
        case noteUse
        case lock
    }

    /// Clocks of one machine differ by less, and it does not sleep for less.
    private static let shortestSleep = Duration.milliseconds(100)

    /// Holds the settings against the clocks.
    ///
    /// - Parameters:
    ///   - unlockTimes: The times of the current unlock.
    ///   - now: The current moment.
    ///   - localMinute: Its local time; looked at only where a time of day is set.
    /// - Returns: What is to be done first.
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

    /// Which of the settings locks now; nil if none does.
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
            // A clock that is set back gains nothing: the minutes since the unlock went by.
            let present = max(localMinute(), unlockTimes.localMinute + passed)
            let next = Self.next(minuteOfDay, after: unlockTimes.localMinute)
            if present >= next { return .timeOfDay }
        }
        guard let idleSeconds else { return nil }
        let limit = Duration.seconds(Int64(idleSeconds))
        // Another process may have been later than this one's look at the clock; a use that is
        // further ahead than the limit is none that happened.
        return Self.distance(unlockTimes.lastUse, now.uptime) >= limit ? .idle : nil
    }

    /// How long from a moment until the settings lock, if nobody uses the device meanwhile.
    ///
    /// - Parameters:
    ///   - unlockTimes: The times of the current unlock.
    ///   - now: The moment.
    ///   - localSecond: Its local time in seconds since 1970; looked at only where a time of day is
    ///     set.
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
            // A clock that is set back gains nothing.
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

    /// The first time after a local minute, and not at it, that a day has that minute.
    private static func next(_ minuteOfDay: UInt16, after start: UInt64) -> UInt64 {
        let day = UInt64(dayMinutes.count)
        let sameDay = start - start % day + UInt64(minuteOfDay)
        return sameDay > start ? sameDay : sameDay + day
    }
}
