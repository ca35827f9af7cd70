/// The settings for automatic locking of a keychain with a passcode; none is set at first.
///
/// - Source: requirement LCK-09; security(1), `set-keychain-settings`.
package struct LockSettings: Sendable, Hashable {
    /// The minutes of a day.
    package static let dayMinutes: Range<UInt16> = 0..<1440

    /// The idle time after which it locks, in seconds, at least 1; nil for no limit.
    package var idleSeconds: UInt32?
    /// The minute of the day, in local time, at which it locks; nil for none.
    package var minuteOfDay: UInt16?
    /// Whether it locks when the machine sleeps.
    package var onSleep: Bool
    /// Whether it locks with the last logout, even if a session image would outlive that.
    package var onLogout: Bool

    package init(
        idleSeconds: UInt32? = nil,
        minuteOfDay: UInt16? = nil,
        onSleep: Bool = false,
        onLogout: Bool = false
    ) {
        self.idleSeconds = idleSeconds
        self.minuteOfDay = minuteOfDay
        self.onSleep = onSleep
        self.onLogout = onLogout
    }

    /// Whether a setting depends on the clocks, so that every call has to read them.
    package var isTimed: Bool { idleSeconds != nil || minuteOfDay != nil || onSleep }

    /// Whether it locks later than other settings do, or no longer.
    ///
    /// Another time of day counts as later, because it may have passed today.
    package func isWeaker(than other: LockSettings) -> Bool {
        if let before = other.idleSeconds {
            guard let idleSeconds, idleSeconds <= before else { return true }
        }
        if let before = other.minuteOfDay, minuteOfDay != before { return true }
        return other.onSleep && !onSleep || other.onLogout && !onLogout
    }
}
