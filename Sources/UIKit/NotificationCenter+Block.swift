public import Foundation

extension NotificationCenter {
    /// Observes a notification with a block that need not be `Sendable`.
    ///
    /// A block that inherits an actor's isolation does not compile with Apple's own declaration in
    /// Swift 6. Use this overload for such code only, because nothing checks that the block runs on
    /// its actor. It applies if the name and the queue are not optional.
    ///
    /// - Parameters:
    ///   - name: the notification.
    ///   - object: the sender whose notifications to observe; nil for all senders.
    ///   - queue: the queue on which the block runs.
    ///   - block: the block.
    /// - Returns: the observer, for `removeObserver`.
    @discardableResult
    public func addObserver(
        forName name: Notification.Name,
        object: Any?,
        queue: OperationQueue,
        using block: @escaping (Notification) -> Void
    ) -> any NSObjectProtocol {
        nonisolated(unsafe) let block = block
        let sendable: @Sendable (Notification) -> Void = { block($0) }
        return addObserver(
            forName: Optional(name),
            object: object,
            queue: Optional(queue),
            using: sendable
        )
    }
}
