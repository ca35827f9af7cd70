import Glibc

/// The moment when waiting ends, on the monotonic clock.
package struct Deadline: Sendable, Hashable {
    /// Nanoseconds since the system started; nil for no deadline.
    private let nanoseconds: UInt64?

    private init(_ nanoseconds: UInt64?) { self.nanoseconds = nanoseconds }

    /// No deadline.
    package static let never = Deadline(nil)

    /// Returns the deadline a number of milliseconds from now.
    package static func after(milliseconds: UInt32) -> Deadline {
        after(nanoseconds: UInt64(milliseconds) * 1_000_000)
    }

    /// Returns the deadline a number of nanoseconds from now.
    static func after(nanoseconds: UInt64) -> Deadline { Deadline(now() + nanoseconds) }

    /// Whether the deadline has passed.
    var isPast: Bool { nanoseconds.map { $0 <= Self.now() } ?? false }

    /// The argument of poll(2): milliseconds from now, rounded up; -1 for no limit.
    package var pollMilliseconds: Int32 {
        guard let nanoseconds else { return -1 }
        let now = Self.now()
        guard nanoseconds > now else { return 0 }
        return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
    }

    private static func now() -> UInt64 {
        var time = timespec()
        // This clock cannot fail.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
