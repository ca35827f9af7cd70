import Secrets

/// The progress of long work in this process's keychain.
package enum WorkProgress {
    package typealias Listener = (_ done: Int, _ total: Int) -> Void

    /// `@unchecked Sendable`: a command sets it, and the command's own thread does the work that
    /// calls it.
    private struct Current: @unchecked Sendable { var listener: Listener? }

    private static let current = AdaptiveMutex(Current())

    /// Reports progress to a listener from now on; nil ends that.
    package static func listen(_ listener: Listener?) {
        current.withLock { $0.listener = listener }
    }

    static func report(done: Int, total: Int) {
        let listener = current.withLock { $0 }
        listener.listener?(done, total)
    }
}
