import Dispatch
import KeychainSockets
import Synchronization

/// So many threads that take turns: each takes the next task when it is done with one.
struct Turns: Sendable {
    let threadCount: Int

    private struct Progress: Sendable {
        var next = 0
        var failure: ScaleFailure?
    }

    /// Carries out all tasks, and returns when the last one is done.
    ///
    /// - Throws: The first error; further tasks are not begun then.
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
