import Glibc

/// Detached threads with small stacks.
///
/// ```swift
/// guard DetachedThread.start({ serve(connection) }) else { return }
/// ```
/// - Source: pthread_create(3), pthread_attr_setdetachstate(3).
package enum DetachedThread {
    /// The size of a stack; only its used pages take memory.
    private static let stackByteCount = 512 << 10

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs a body on a thread of its own.
    ///
    /// - Returns: Whether the thread could be started.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0,
            pthread_attr_setstacksize(&attributes, stackByteCount) == 0
        else { return false }
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            },
            work.toOpaque()
        )
        if code != 0 { work.release() }
        return code == 0
    }
}
