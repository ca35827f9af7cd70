import Glibc

/// A lock that one thread holds at a time.
///
/// It is a mutex of the C library. As on Apple's platforms, the program stops if a thread locks it
/// twice, or unlocks it without holding it. The lock must keep its address:
///
/// ```swift
/// let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
/// lock.initialize(to: os_unfair_lock())
/// ```
public struct os_unfair_lock {
    fileprivate var mutex = pthread_mutex_t()

    /// Creates a lock that no thread holds.
    public init() { mutex.__data.__kind = Int32(PTHREAD_MUTEX_ERRORCHECK) }
}

/// The name of the type in C.
public typealias os_unfair_lock_s = os_unfair_lock
/// A pointer to a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

/// Waits until no other thread holds the lock, and takes it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    let result = pthread_mutex_lock(&lock.pointee.mutex)
    precondition(result == 0, "this thread holds the lock already")
}

/// Takes the lock if no thread holds it.
///
/// - Returns: Whether this thread took it.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    pthread_mutex_trylock(&lock.pointee.mutex) == 0
}

/// Releases the lock.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
    let result = pthread_mutex_unlock(&lock.pointee.mutex)
    precondition(result == 0, "this thread does not hold the lock")
}

/// Stops the program unless this thread holds the lock.
public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
    precondition(lock.isHeldByThisThread, "this thread does not hold the lock")
}

/// Stops the program if this thread holds the lock.
public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
    precondition(!lock.isHeldByThisThread, "this thread holds the lock")
}

extension os_unfair_lock_t {
    /// Whether this thread holds the lock: a wait until a time in the past then fails.
    fileprivate var isHeldByThisThread: Bool {
        var past = timespec()
        let result = pthread_mutex_timedlock(&pointee.mutex, &past)
        if result == 0 { pthread_mutex_unlock(&pointee.mutex) }
        return result == EDEADLK
    }
}
