import KeychainModel
import Synchronization

/// A thread that waits for its prompt's turn and answer.
final class PromptWaiter: Sendable {
    private struct State {
        var hasBegun = false
        var answer: PromptAnswer?
    }

    private let state = Mutex(State())
    private let pipe: WakePipe

    /// Returns nil if the process has no descriptors left.
    init?() {
        guard let pipe = WakePipe() else { return nil }
        self.pipe = pipe
    }

    /// Whether its turn has come.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    var answer: PromptAnswer? { state.withLock { $0.answer } }

    func begin() {
        state.withLock { $0.hasBegun = true }
        pipe.wake()
    }

    func finish(_ answer: PromptAnswer) {
        state.withLock { state in
            if state.answer == nil { state.answer = answer }
        }
        pipe.wake()
    }

    /// Waits for news, a short time at most.
    func wait() { pipe.wait(milliseconds: 50) }
}
