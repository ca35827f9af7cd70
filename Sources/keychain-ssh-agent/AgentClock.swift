import Glibc
import SSHAgentProtocol

/// The clocks for the machine's time arguments.
enum AgentClock {
    /// Returns the time since the machine started, including suspension.
    static func uptime() -> Duration { now(CLOCK_BOOTTIME) }

    static func moment() -> AgentMoment {
        let wall = now(CLOCK_REALTIME).components.seconds
        return AgentMoment(uptime: uptime(), secondsSince1970: UInt64(max(wall, 0)))
    }

    /// Suspends this thread.
    static func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
    }

    private static func now(_ clock: clockid_t) -> Duration {
        var time = timespec()
        // Reading these clocks cannot fail.
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
