import Secrets

/// A prompt to the user.
package struct Prompt: Sendable, Hashable {
    /// The requested proof.
    package enum Kind: Sendable, Hashable {
        /// A face or finger.
        case biometry(BiometryKind)
        /// A confirmation on a paired device nearby.
        case companion
        /// The device's passcode.
        case passcode
        /// The password of a new item.
        case newApplicationPassword
        /// The password of an existing item.
        case applicationPassword
    }

    package let kind: Kind
    /// The program's reason; nil if it gave none.
    package let reason: String?
    /// Whether the prompt has a fallback button.
    package let offersFallback: Bool
    /// The title of the fallback button; nil for the system's title.
    package let fallbackTitle: String?

    package init(
        _ kind: Kind,
        reason: String? = nil,
        offersFallback: Bool = false,
        fallbackTitle: String? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.offersFallback = offersFallback
        self.fallbackTitle = fallbackTitle
    }
}

/// A user's answer to a prompt.
package enum PromptAnswer: Sendable {
    /// The user presented a face or finger; the bytes are the sensor's name for it.
    case presented([UInt8])
    /// The user typed the passcode or the application password.
    case typed(SharedSecret)
    /// The paired device agreed.
    case approved
    /// The user chose the fallback.
    case fallback
    /// The user canceled.
    case canceled
    /// The system closed the prompt.
    case interrupted
    /// The user did nothing, or the sensor saw no one.
    case nothing
    /// No prompt can be shown here.
    case impossible
}

/// A way to show prompts: a script in a test, a terminal, a dialog program.
///
/// A call blocks only its own thread, and is made without a lock of the keychain.
package protocol Prompter: Sendable {
    /// Shows a prompt and waits for the answer.
    func answer(_ prompt: Prompt) -> PromptAnswer

    /// Works like `answer(_:)`, but closes the prompt once its answer is no longer needed.
    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer
}

extension Prompter {
    /// Waits for the answer in any case, for prompters that cannot close a prompt.
    package func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        answer(prompt)
    }
}

/// The proof that a call needs before it can continue.
package struct Challenge: Sendable, Hashable {
    package let factor: Factor
    package let prompt: Prompt
    /// The number of locks so far; an answer after another lock does not count.
    package let lockCount: UInt64

    package init(factor: Factor, prompt: Prompt, lockCount: UInt64) {
        self.factor = factor
        self.prompt = prompt
        self.lockCount = lockCount
    }
}
