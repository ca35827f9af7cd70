import Glibc

/// A value that many may read at once, or one may change.
///
/// Who wants to change it goes before readers that come later, so that locking the device waits for
/// the searches under way and for no others. Neither kind of access may be nested in another.
///
/// `@unchecked Sendable` is sound because the value is reached under the lock alone: shared and
/// borrowed, or exclusive and changeable.
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

    /// Waits until nobody reads or changes the value, then lets the body change it.
    func withLock<R: ~Copyable, E>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        Self.require(pthread_rwlock_wrlock(lock))
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        return try body(&value.pointee)
    }

    /// Lets the body change the value if nobody is with it.
    ///
    /// - Returns: Whether it did.
    func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
        let code = pthread_rwlock_trywrlock(lock)
        if code == EBUSY { return false }
        Self.require(code)
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        body(&value.pointee)
        return true
    }

    /// Lets the body change the value if nobody else is with it within a tenth of a second.
    ///
    /// For the end of the process: the thread that ends it may be with the value itself.
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

    /// Waits until nobody changes the value or is about to, then lets the body read it.
    func withSharedLock<R: ~Copyable, E>(_ body: (borrowing Value) throws(E) -> R) throws(E) -> R {
        Self.require(pthread_rwlock_rdlock(lock))
        defer { Self.require(pthread_rwlock_unlock(lock)) }
        return try body(value.pointee)
    }

    /// Ends the process on a code that is no success.
    ///
    /// Whoever went on would be with the value beside others. A thread that locks what it has
    /// locked already gets such a code.
    private static func require(_ code: Int32) {
        guard code == 0 else {
            preconditionFailure("the keychain's lock failed: \(String(cString: strerror(code)))")
        }
    }
}
