import Synchronization

/// Whether a context still counts, for calls under way that must not keep the context itself.
///
/// A call that took hold of the context while it works could be the last to let go of it, and a
/// context that goes asks the device to forget its proofs.
final class ContextValidity: Sendable {
    private let ended = Mutex(false)

    /// Whether the context was invalidated, or is gone.
    var hasEnded: Bool { ended.withLock { $0 } }

    /// Ends it for good.
    func end() { ended.withLock { $0 = true } }
}
