import Glibc
import Synchronization

/// Handling of SIGTERM: the agent ends at once or, if a prompt is visible, after the dialog
/// program.
enum AgentSignals {
    private static let isShowing = Atomic(false)
    private static let isEnding = Atomic(false)

    /// Handles SIGTERM from now on.
    ///
    /// - Returns: Whether the handler could be installed.
    static func handle() -> Bool {
        var ends = sigset_t()
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in AgentSignals.end() }
        return sigemptyset(&ends) == 0 && sigaddset(&ends, SIGTERM) == 0
            && sigaction(SIGTERM, &action, nil) == 0 && sigprocmask(SIG_UNBLOCK, &ends, nil) == 0
    }

    /// Whether the program has to end.
    static var wantsEnd: Bool { isEnding.load(ordering: .acquiring) }

    /// Runs a body that returns soon after `wantsEnd` becomes true.
    static func showing<R>(_ body: () -> R) -> R {
        isShowing.store(true, ordering: .sequentiallyConsistent)
        defer {
            isShowing.store(false, ordering: .sequentiallyConsistent)
            if wantsEnd { _exit(0) }
        }
        return body()
    }

    /// Ends the program.
    ///
    /// The daemon informs programs that wait for an answer.
    private static func end() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        if !isShowing.load(ordering: .sequentiallyConsistent) { _exit(0) }
    }
}
