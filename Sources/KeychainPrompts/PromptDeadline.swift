/// The end of waiting for an answer: it is no longer needed, or too much time has passed.
package struct PromptDeadline: Sendable {
    /// The time for a person to answer: five minutes.
    package static let patience = Duration.seconds(300)

    private let end: ContinuousClock.Instant
    private let isWanted: @Sendable () -> Bool

    package init(
        after patience: Duration = PromptDeadline.patience,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) {
        end = .now + patience
        self.isWanted = isWanted
    }

    /// Whether an answer would still be accepted.
    package var isOpen: Bool { ContinuousClock.now < end && isWanted() }
}
