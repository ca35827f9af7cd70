import Secrets

/// Where long work in this process's keychain says how far it is.
package enum WorkProgress {
    package typealias Listener = (_ done: Int, _ total: Int) -> Void

    /// `@unchecked Sendable`: a command sets it, and its own thread does the work that calls it.
    private struct Current: @unchecked Sendable { var listener: Listener? }

    private static let current = AdaptiveMutex(Current())

    /// Has a listener hear of the work from now on; nil for nobody.
    package static func listen(_ listener: Listener?) {
        current.withLock { $0.listener = listener }
    }

    static func report(done: Int, total: Int) {
        let listener = current.withLock { $0 }
        listener.listener?(done, total)
    }
}
