/// When a keychain with a passcode locks by itself; nothing of it is set at first.
///
/// - Source: requirement LCK-09; security(1), `set-keychain-settings`.
package struct LockSettings: Sendable, Hashable {
    /// The minutes of a day.
    package static let dayMinutes: Range<UInt16> = 0..<1440

    /// How long nobody uses it before it locks, in seconds, at least 1; nil for any time.
    package var idleSeconds: UInt32?
    /// The minute of the day, in local time, at which it locks; nil for none.
    package var minuteOfDay: UInt16?
    /// Whether it locks when the machine sleeps.
    package var onSleep: Bool
    /// Whether it locks with the last logout also where a session image outlives that.
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

    /// Whether something locks that the clocks alone tell, so that every call has to look at them.
    package var isTimed: Bool { idleSeconds != nil || minuteOfDay != nil || onSleep }

    /// Whether something locks later than by other settings, or not at all any more.
    ///
    /// Another time of day counts as later: it may have passed today.
    package func isWeaker(than other: LockSettings) -> Bool {
        if let before = other.idleSeconds {
            guard let idleSeconds, idleSeconds <= before else { return true }
        }
        if let before = other.minuteOfDay, minuteOfDay != before { return true }
        return other.onSleep && !onSleep || other.onLogout && !onLogout
    }
}
