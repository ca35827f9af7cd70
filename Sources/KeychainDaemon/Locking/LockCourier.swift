import KeychainEngine
import KeychainSockets
import Synchronization

/// The threads that carry out requested locks.
///
/// A thread never waits for another thread in an engine, only for the disk. So no account's engine
/// delays the lock of another account.
final class LockCourier: Sendable {
    private static let threadLimit = 4

    private struct State {
        var engines: [Engine] = []
        var threadCount = 0
    }

    private let state = Mutex(State())

    /// Carries out the locks of an engine soon; at once if no thread can be started.
    func carryOut(_ engine: Engine) {
        let startsThread = state.withLock { state in
            state.engines.append(engine)
            guard state.threadCount < Self.threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        if startsThread, !DetachedThread.start({ [self] in work() }) { work() }
    }

    private func work() {
        while let engine = next() { engine.carryOutLocks() }
    }

    private func next() -> Engine? {
        state.withLock { state in
            if state.engines.isEmpty {
                state.threadCount -= 1
                return nil
            }
            return state.engines.removeFirst()
        }
    }
}
