import Foundation

/// Simulates a crash after a number of effects: later effects do nothing.
///
/// After each effect it calls a closure, which checks the invariants.
///
/// `@unchecked Sendable`: every access to its state holds its lock.
package final class CrashInjector: @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Int
    private var used = 0
    private var refused = 0
    private let afterEffect: @Sendable () -> Void

    package init(limit: Int = .max, afterEffect: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.afterEffect = afterEffect
    }

    /// How many effects there were.
    package var count: Int { lock.withLock { used } }

    /// Whether something did not happen that the run wanted.
    package var hasCrashed: Bool { lock.withLock { refused > 0 } }

    /// Whether one more effect may happen.
    func allowsEffect() -> Bool {
        lock.withLock {
            guard used < limit else { return refuse() }
            used += 1
            return true
        }
    }

    /// Whether there is a process left that reads.
    func allowsReading() -> Bool {
        lock.withLock { used < limit || refuse() }
    }

    func happened() { afterEffect() }

    private func refuse() -> Bool {
        refused += 1
        return false
    }
}
