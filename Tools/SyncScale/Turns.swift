import Dispatch
import KeychainSockets
import Synchronization

/// Threads that take turns: each takes the next task when it has finished one.
struct Turns: Sendable {
    let threadCount: Int

    private struct Progress: Sendable {
        var next = 0
        var failure: ScaleFailure?
    }

    /// Carries out all tasks, and returns after the last one.
    ///
    /// - Throws: The first error; no further task begins after it.
    func run<Task: Sendable>(
        _ tasks: [Task],
        _ body: @escaping @Sendable (Task) throws -> Void
    ) throws {
        let progress = Progressing()
        let group = DispatchGroup()
        for _ in 0..<min(threadCount, tasks.count) {
            group.enter()
            let isStarted = DetachedThread.start {
                defer { group.leave() }
                while let index = progress.take(below: tasks.count) {
                    do { try body(tasks[index]) } catch { progress.fail(ScaleFailure(error)) }
                }
            }
            guard isStarted else { throw ScaleFailure("a thread could not be started") }
        }
        group.wait()
        if let failure = progress.failure { throw failure }
    }

    private final class Progressing: Sendable {
        private let value = Mutex(Progress())

        func take(below count: Int) -> Int? {
            value.withLock { progress in
                guard progress.failure == nil, progress.next < count else { return nil }
                defer { progress.next += 1 }
                return progress.next
            }
        }

        func fail(_ failure: ScaleFailure) {
            value.withLock { $0.failure = $0.failure ?? failure }
        }

        var failure: ScaleFailure? { value.withLock { $0.failure } }
    }
}
