import Glibc

/// A value that many may read at once, or one may change.
///
/// Who wants to change it goes before readers that come later, so that locking the device waits for
/// the searches under way and for no others. Neither kind of access may be nested in another.
///
/// `@unchecked Sendable` is sound because the value is reached under the lock alone: shared and
/// borrowed, or exclusive and changeable.
/// - Source: pthread_rwlock_rdlock(3p); pthread_rwlockattr_setkind_np(3).
final class ReadersLock<Value: ~Copyable>: @unchecked Sendable {
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init(_ value: consuming sending Value) {
        self.value.initialize(to: value)
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        let kind = Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        pthread_rwlockattr_setkind_np(&attributes, kind)
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Waits until nobody reads or changes the value, then lets the body change it.
    func withLock<R: ~Copyable, E>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        pthread_rwlock_wrlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body(&value.pointee)
    }

    /// Waits until nobody changes the value or is about to, then lets the body read it.
    func withSharedLock<R: ~Copyable, E>(_ body: (borrowing Value) throws(E) -> R) throws(E) -> R {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return try body(value.pointee)
    }
}
