import Glibc

/// The signals that end the agent or have it show hidden keys; a thread waits for them.
struct AgentSignals {
    private var set = sigset_t()

    /// To be made before any other thread, which then leaves the signals alone as well.
    init() {
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Lets a program that takes the place of this one get its signals.
    func restore() {
        var set = set
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        signal(SIGPIPE, SIG_DFL)
    }

    /// Waits for the next of them.
    func wait() -> Int32 {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }
}
