import Synchronization

/// The validity of a context, for running calls that must not hold the context itself.
///
/// A call that holds the context could be the last to release it, and a context that ends makes the
/// device forget its proofs.
final class ContextValidity: Sendable {
    private let ended = Mutex(false)

    /// Whether the context was invalidated or released.
    var hasEnded: Bool { ended.withLock { $0 } }

    /// Ends the validity permanently.
    func end() { ended.withLock { $0 = true } }
}
