import Glibc

/// Threads that leave the processor to others.
enum NiceThread {
    /// The nice value: other threads of the daemon get about ten times as much processor time.
    private static let niceness: Int32 = 10
    private static let stackByteCount = 512 << 10

    private final class Started: Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func run() {
            // On Linux this affects only the calling thread. If it fails, the thread is an ordinary
            // one.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            body()
        }
    }

    /// Runs `body` on a thread of its own.
    ///
    /// - Returns: Whether the thread could be started.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) == 0,
            pthread_attr_setstacksize(&attributes, stackByteCount) == 0
        else { return false }
        let work = Unmanaged.passRetained(Started(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { context in
                if let context { Unmanaged<Started>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            },
            work.toOpaque()
        )
        if code != 0 { work.release() }
        return code == 0
    }
}
