import Glibc

/// A thread that runs one body and ends.
package enum WitnessThread {
    /// The size of the thread's stack, in bytes.
    private static let stackByteCount = 256 << 10

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread; runs the body at once if there is no thread.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return body() }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackByteCount)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread,
            &attributes,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        guard result != 0 else { return }
        box.release()
        body()
    }
}
