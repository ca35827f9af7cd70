import Secrets

/// What a person is shown.
package struct Prompt: Sendable, Hashable {
    /// What is asked for.
    package enum Kind: Sendable, Hashable {
        /// A face or finger.
        case biometry(BiometryKind)
        /// A confirmation on a paired device nearby.
        case companion
        /// The device's passcode.
        case passcode
        /// The password of an item that is being made.
        case newApplicationPassword
        /// The password of an item.
        case applicationPassword
    }

    package let kind: Kind
    /// Why, in the program's words; nil if it gave none.
    package let reason: String?
    /// Whether the prompt has a button for another way.
    package let offersFallback: Bool
    /// That button's title; nil: the system's.
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

/// What a person did about a prompt.
package enum PromptAnswer: Sendable {
    /// A face or finger was presented: what the sensor calls it.
    case presented([UInt8])
    /// A text was typed: passcode or application password, as asked.
    case typed(SharedSecret)
    /// The paired device agreed.
    case approved
    /// Another way was chosen.
    case fallback
    /// Cancel.
    case canceled
    /// The system took the prompt away.
    case interrupted
    /// Nobody did anything, or the sensor saw nobody.
    case nothing
    /// There is no way to show a prompt here.
    case impossible
}

/// Whoever asks the person: a script in a test, a terminal, a dialog program.
///
/// A call blocks its own thread alone, and is made while no lock of the keychain is held.
package protocol Prompter: Sendable {
    /// Shows a prompt and waits for what comes of it.
    func answer(_ prompt: Prompt) -> PromptAnswer

    /// As `answer(_:)`; takes the prompt away once nobody wants its answer any more.
    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer
}

extension Prompter {
    /// For whoever cannot take a prompt away: asks, and lets the answer come.
    package func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        answer(prompt)
    }
}

/// What has to be proven before a call can go on.
package struct Challenge: Sendable, Hashable {
    package let factor: Factor
    package let prompt: Prompt
    /// How often the device was locked before; a proof after the next lock proves nothing.
    package let lockCount: UInt64

    package init(factor: Factor, prompt: Prompt, lockCount: UInt64) {
        self.factor = factor
        self.prompt = prompt
        self.lockCount = lockCount
    }
}
