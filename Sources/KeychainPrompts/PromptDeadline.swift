/// Until when an answer is waited for: somebody still wants it, and not too much time has passed.
package struct PromptDeadline: Sendable {
    /// How long a person has: five minutes.
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

    /// Whether an answer would still be taken.
    package var isOpen: Bool { ContinuousClock.now < end && isWanted() }
}
