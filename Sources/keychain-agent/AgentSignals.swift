import Glibc
import Synchronization

/// SIGTERM: at once while nothing is shown, else after the dialog program has ended.
enum AgentSignals {
    private static let isShowing = Atomic(false)
    private static let isEnding = Atomic(false)

    /// Handles SIGTERM from now on.
    ///
    /// - Returns: Whether that worked.
    static func handle() -> Bool {
        var ends = sigset_t()
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in AgentSignals.end() }
        return sigemptyset(&ends) == 0 && sigaddset(&ends, SIGTERM) == 0
            && sigaction(SIGTERM, &action, nil) == 0 && sigprocmask(SIG_UNBLOCK, &ends, nil) == 0
    }

    /// Whether the program is to end.
    static var wantsEnd: Bool { isEnding.load(ordering: .acquiring) }

    /// Runs a body that ends soon after `wantsEnd`.
    static func showing<R>(_ body: () -> R) -> R {
        isShowing.store(true, ordering: .sequentiallyConsistent)
        defer {
            isShowing.store(false, ordering: .sequentiallyConsistent)
            if wantsEnd { _exit(0) }
        }
        return body()
    }

    /// Whoever waits for an answer hears from the daemon that the agent is gone.
    private static func end() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        if !isShowing.load(ordering: .sequentiallyConsistent) { _exit(0) }
    }
}
