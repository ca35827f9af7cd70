import Glibc

/// A value that many threads may read at once, or one thread may change.
///
/// A waiting writer precedes later readers. So locking the device waits for the searches in
/// progress, but not for new ones. Accesses must not nest.
///
/// `@unchecked Sendable` is sound because the value is reached only under the lock: shared for
/// reading, or exclusively for changes.
/// - Source: pthread_rwlock_rdlock(3p); pthread_rwlockattr_setkind_np(3).
final class ReadWriteLock<Value: ~Copyable>: @unchecked Sendable {
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init(_ value: consuming sending Value) {
        self.value.initialize(to: value)
        var attributes = pthread_rwlockattr_t()
        Self.require(pthread_rwlockattr_init(&attributes))
        let kind = Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        Self.require(pthread_rwlockattr_setkind_np(&attributes, kind))
        Self.require(pthread_rwlock_init(lock, &attributes))
        Self.require(pthread_rwlockattr_destroy(&attributes))
    }

    deinit {
        Self.require(pthread_rwlock_destroy(lock))
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Waits until no thread uses the value, then lets `body` change it.
    func withLock<R: ~Copyable, E>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        Self.require(pthread_rwlock_wrlock(lock))
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        return try body(&value.pointee)
    }

    /// Lets `body` change the value if no thread uses it.
    ///
    /// - Returns: Whether `body` ran.
    func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
        let code = pthread_rwlock_trywrlock(lock)
        if code == EBUSY { return false }
        Self.require(code)
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        body(&value.pointee)
        return true
    }

    /// Lets `body` change the value if it becomes free within a tenth of a second.
    ///
    /// It is for the end of the process: the thread that ends it may itself hold the lock.
    /// - Source: pthread_rwlock_timedwrlock(3p).
    func withLockSoon(_ body: (inout Value) -> Void) {
        var deadline = timespec()
        guard clock_gettime(CLOCK_REALTIME, &deadline) == 0 else { return }
        deadline.tv_nsec += 100_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_nsec -= 1_000_000_000
            deadline.tv_sec += 1
        }
        guard pthread_rwlock_timedwrlock(lock, &deadline) == 0 else { return }
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        body(&value.pointee)
    }

    /// Waits until no thread changes the value or waits to, then lets `body` read it.
    func withSharedLock<R: ~Copyable, E>(_ body: (borrowing Value) throws(E) -> R) throws(E) -> R {
        Self.require(pthread_rwlock_rdlock(lock))
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        return try body(value.pointee)
    }

    /// Ends the process unless the code means success.
    ///
    /// After a failure, two threads could use the value at once. A thread that locks twice gets
    /// such a code.
    private static func require(_ code: Int32) {
        guard code == 0 else {
            preconditionFailure("the keychain's lock failed: \(String(cString: strerror(code)))")
        }
    }
}
