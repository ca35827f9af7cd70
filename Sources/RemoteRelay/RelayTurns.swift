import Dispatch
import Synchronization

// Invariants  (1) At most one thread has the turn.
//             (2) Threads get the turn in the order of their requests. The lock is not held while
//                 they wait.

/// A queue that lets threads use a resource one after the other.
final class RelayTurns: Sendable {
    private struct State: Sendable {
        var isTaken = false
        var queue: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// Whether another thread waits for the turn.
    var isWanted: Bool { state.withLock { !$0.queue.isEmpty } }

    /// Takes the turn, after the threads that requested it earlier.
    ///
    /// - Parameter hurry: Called if another thread has the turn.
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

    /// Gives the turn to the next thread.
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
