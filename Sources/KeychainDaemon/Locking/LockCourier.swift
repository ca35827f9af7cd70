import KeychainEngine
import KeychainSockets
import Synchronization

/// Has locks that were asked for carried out, on a few threads of its own.
///
/// None of them waits for whoever is with an engine, only for the disk: so no account's engine
/// keeps another account's lock waiting.
final class LockCourier: Sendable {
    private static let threadLimit = 4

    private struct State {
        var engines: [Engine] = []
        var threadCount = 0
    }

    private let state = Mutex(State())

    /// Has the locks of an engine carried out soon; at once where no thread can be started.
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
