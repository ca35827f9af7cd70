import Foundation
import Synchronization

/// Threads with a large stack for deep code.
enum Worker {
    /// The size of the stack; pages that are not used cost nothing.
    private static let stack = 512 << 20

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Calls a body for each number below a count, on all processors, and waits for the end.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let next = Mutex(0)
        let work = Work {
            while true {
                let index = next.withLock { next -> Int in
                    defer { next += 1 }
                    return next
                }
                guard index < count else { return }
                body(index)
            }
        }
        let wanted = min(count, ProcessInfo.processInfo.activeProcessorCount)
        let threads = (0..<wanted).compactMap { _ in start(work) }
        // If memory is short, there may be no threads; then this one does all the work.
        if threads.isEmpty { work.body() }
        for thread in threads { pthread_join(thread, nil) }
    }

    private static func start(_ work: Work) -> pthread_t? {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stack)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let context = Unmanaged.passRetained(work)
        let status = pthread_create(
            &thread,
            &attributes,
            { context in
                let pointer: UnsafeMutableRawPointer? = context
                guard let pointer else { return nil }
                Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            context.toOpaque()
        )
        guard status == 0 else {
            context.release()
            return nil
        }
        return thread
    }
}
