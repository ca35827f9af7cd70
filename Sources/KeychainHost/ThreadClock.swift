import Glibc

/// The processor time of the calling thread, which does not advance while others run.
package enum ThreadClock {
    /// Returns the thread's processor time; zero if the kernel does not count it.
    ///
    /// - Source: clock_gettime(2), `CLOCK_THREAD_CPUTIME_ID`.
    package static func now() -> Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
