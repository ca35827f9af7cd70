import Glibc

/// What a body took of the processor on this thread: what else the machine does meanwhile does not
/// count.
package func threadTime<Failure: Error>(
    _ body: () throws(Failure) -> Void
) throws(Failure) -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
