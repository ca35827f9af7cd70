import Glibc

/// The signals that end the agent or make it show hidden keys; a thread waits for them.
struct AgentSignals {
    private var set = sigset_t()

    /// Blocks the signals.
    ///
    /// Call it before any other thread starts, so that all threads block them.
    init() {
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Unblocks the signals for a program that replaces this one.
    func restore() {
        var set = set
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        signal(SIGPIPE, SIG_DFL)
    }

    /// Waits for the next signal.
    func wait() -> Int32 {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }
}
