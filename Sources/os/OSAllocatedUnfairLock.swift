/// A lock with the state that it protects.
///
/// ```swift
/// let tokens = OSAllocatedUnfairLock(initialState: [String: Data]())
/// tokens.withLock { $0["refresh"] = token }
/// ```
///
/// `@unchecked Sendable` is sound because only code that holds the lock reaches the state.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// Copies of the value share the lock.
    private final class Storage {
        let lock: os_unfair_lock_t
        var state: State

        init(_ state: State) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
            self.state = state
        }

        deinit {
            lock.deinitialize(count: 1)
            lock.deallocate()
        }
    }

    /// The thread that has to hold a lock.
    public enum Ownership: Hashable, Sendable {
        /// This thread.
        case owner
        /// Any other thread, or none.
        case notOwner
    }

    private let storage: Storage

    /// Creates a lock with state that does not have to be `Sendable`.
    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    /// Creates a lock with state.
    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    /// Calls a closure with the state, under the lock.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        os_unfair_lock_lock(storage.lock)
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Calls a closure with the state, under the lock.
    public func withLock<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Calls a closure with the state if no thread holds the lock; otherwise returns nil.
    public func withLockIfAvailableUnchecked<R>(
        _ body: (inout State) throws -> R
    ) rethrows -> R? {
        guard os_unfair_lock_trylock(storage.lock) else { return nil }
        defer { os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Calls a closure with the state if no thread holds the lock; otherwise returns nil.
    public func withLockIfAvailable<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Stops the program unless the expected thread holds the lock.
    public func precondition(_ condition: Ownership) {
        switch condition {
        case .owner: os_unfair_lock_assert_owner(storage.lock)
        case .notOwner: os_unfair_lock_assert_not_owner(storage.lock)
        }
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Creates a lock without state.
    public init() { self.init(uncheckedState: ()) }

    /// Waits until no other thread holds the lock, and takes it.
    @available(*, noasync, message: "use withLock, which cannot be suspended inside")
    public func lock() { os_unfair_lock_lock(storage.lock) }

    /// Releases the lock.
    @available(*, noasync, message: "use withLock, which cannot be suspended inside")
    public func unlock() { os_unfair_lock_unlock(storage.lock) }

    /// Takes the lock if no thread holds it.
    @available(*, noasync, message: "use withLockIfAvailable, which cannot be suspended inside")
    public func lockIfAvailable() -> Bool { os_unfair_lock_trylock(storage.lock) }

    /// Calls a closure under the lock.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLock { _ in try body() }
    }

    /// Calls a closure under the lock.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }
}
