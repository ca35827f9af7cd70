import Dispatch
import Synchronization

// Invariants  (1) One thread has the turn, or nobody.
//             (2) Who waits for it gets it in the order of asking; the lock is not held meanwhile.

/// Lets threads use one thing one after the other.
final class RelayTurns: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var queue: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// Whether somebody waits for the turn.
    var isWanted: Bool { state.withLock { !$0.queue.isEmpty } }

    /// Takes the turn, as soon as those before have had it.
    ///
    /// - Parameter hurry: Called if somebody else has it.
    func take(hurrying hurry: () -> Void) {
        let wait: DispatchSemaphore? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let wait = DispatchSemaphore(value: 0)
            state.queue.append(wait)
            return wait
        }
        guard let wait else { return }
        hurry()
        wait.wait()
    }

    /// Gives the turn to the next one.
    func give() {
        let next: DispatchSemaphore? = state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.queue.removeFirst()
        }
        next?.signal()
    }
}
