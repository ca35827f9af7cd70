import Synchronization

/// Counts calls.
final class Countdown: Sendable {
    private let rest: Mutex<Int>

    init(_ count: Int) { rest = Mutex(count) }

    /// Whether there were as many calls as were allowed.
    func isOver() -> Bool {
        rest.withLock { rest in
            guard rest > 0 else { return true }
            rest -= 1
            return false
        }
    }
}
