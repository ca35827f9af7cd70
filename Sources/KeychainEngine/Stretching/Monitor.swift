import Glibc

/// A value for one thread at a time, and a way to wait until it changes.
///
/// `@unchecked Sendable` is sound because the value is reached only under the mutex.
/// - Source: pthread_cond_timedwait(3p); pthread_condattr_setclock(3p).
final class Monitor<Value: ~Copyable>: @unchecked Sendable {
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ value: consuming sending Value) {
        self.value.initialize(to: value)
        Self.require(pthread_mutex_init(mutex, nil))
        var attributes = pthread_condattr_t()
        Self.require(pthread_condattr_init(&attributes))
        Self.require(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC))
        Self.require(pthread_cond_init(condition, &attributes))
        Self.require(pthread_condattr_destroy(&attributes))
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Lends the value to `body`, and wakes the threads that wait for a change.
    func change<R: ~Copyable, E>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        Self.require(pthread_mutex_lock(mutex))
        defer {
            Self.require(pthread_cond_broadcast(condition))
            Self.require(pthread_mutex_unlock(mutex))
        }
        return try body(&value.pointee)
    }

    /// Lends the value to `body`, whose changes must not matter to waiting threads.
    func look<R: ~Copyable, E>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        Self.require(pthread_mutex_lock(mutex))
        defer { Self.require(pthread_mutex_unlock(mutex)) }
        return try body(&value.pointee)
    }

    /// Calls `body` after every change until it returns an answer.
    ///
    /// - Parameters:
    ///   - pause: The longest wait before it calls `isWanted` again.
    ///   - isWanted: Whether the caller still needs the answer; called without the mutex.
    ///   - body: Returns the answer, or nil to wait on.
    /// - Returns: The answer; nil if it is no longer needed.
    func wait<R>(
        lookingEvery pause: Duration,
        while isWanted: () -> Bool = { true },
        _ body: (inout Value) -> R?
    ) -> R? {
        while true {
            if let answer = waitOnce(pause, body) { return answer }
            if !isWanted() { return nil }
        }
    }

    private func waitOnce<R>(_ pause: Duration, _ body: (inout Value) -> R?) -> R? {
        var deadline = timespec()
        guard clock_gettime(CLOCK_MONOTONIC, &deadline) == 0 else { return nil }
        let nanoseconds = Int(pause / .nanoseconds(1)) + deadline.tv_nsec
        deadline.tv_sec += nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        Self.require(pthread_mutex_lock(mutex))
        defer { Self.require(pthread_mutex_unlock(mutex)) }
        while true {
            if let answer = body(&value.pointee) { return answer }
            let code = pthread_cond_timedwait(condition, mutex, &deadline)
            if code == ETIMEDOUT { return body(&value.pointee) }
            Self.require(code)
        }
    }

    private static func require(_ code: Int32) {
        guard code == 0 else {
            preconditionFailure("the keychain's lock failed: \(String(cString: strerror(code)))")
        }
    }
}
