import Glibc

/// A value for one thread at a time, behind a lock for short and frequent use by many threads.
///
/// Swift's `Mutex` passes itself to the thread that has waited longest. Threads that meet at it in
/// every call soon queue for each turn, and sleep in between. This lock goes to the first thread
/// that comes, after a short spin. It cannot be nested.
///
/// The type is public, in a module that no product exports, so that other modules specialize it.
///
/// `@unchecked Sendable` is sound because only code that holds the lock reaches the value.
/// - Source: pthread_mutex_lock(3p); pthread_mutexattr_settype(3p), `PTHREAD_MUTEX_ADAPTIVE_NP`.
public final class AdaptiveMutex<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline
    let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    @usableFromInline
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Takes over a value.
    public init(_ value: consuming sending Value) {
        self.value.initialize(to: value)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Waits until no other thread uses the value, then lends it to the body.
    ///
    /// - Parameter body: Receives the value; it must not use this lock again.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body.
    @inlinable
    public func withLock<R: ~Copyable, E>(
        _ body: (inout Value) throws(E) -> R
    ) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Lends the value to the body, unless a thread uses it, including this one.
    ///
    /// - Returns: The result of the body; nil if it did not run.
    public func withLockIfFree<R>(_ body: (inout Value) -> R) -> R? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }
}
