import KeychainModel

/// What somebody does about one prompt.
public enum PromptResponse: Sendable {
    /// Presents a face or finger.
    case present(String)
    /// Types a passcode or an application password.
    case type(String)
    /// Confirms on a paired device.
    case approve
    /// Chooses another way; does nothing where the prompt has no button for it.
    case fallback
    /// Taps Cancel.
    case cancel
    /// Does nothing until the prompt goes away.
    case ignore
    /// Something else comes to the front, and the system takes the prompt away.
    case interrupt
    /// Something happens to the device while the prompt is shown, before the response.
    indirect case after(@Sendable (SimulatedDevice) -> Void, PromptResponse)
}

/// A prompt that was shown, and what somebody did about it.
public struct PromptRecord: Sendable, Hashable {
    /// What was asked for.
    public enum Kind: Sendable, Hashable {
        /// A face or finger.
        case biometry
        /// A confirmation on a paired device.
        case companion
        /// The device's passcode.
        case passcode
        /// A password for an item that is being made.
        case newApplicationPassword
        /// The password of an item.
        case applicationPassword
    }

    /// What somebody did, without what they typed.
    public enum Answer: Sendable, Hashable {
        /// A face or finger was presented.
        case presented(String)
        /// Something was typed.
        case typed
        /// It was confirmed on a paired device.
        case approved
        /// Another way was chosen.
        case fallback
        /// Cancel was tapped.
        case canceled
        /// Nothing was done.
        case ignored
        /// The system took the prompt away.
        case interrupted
    }

    /// What was asked for.
    public let kind: Kind
    /// Why, in the program's words.
    public let reason: String?
    /// Whether it had a button for another way.
    public let offersFallback: Bool
    /// That button's title, in the program's words; nil: the system's.
    public let fallbackTitle: String?
    /// The bundle identifier of the app that caused it.
    public let app: String
    /// What somebody did about it.
    public let answer: Answer
}

extension PromptRecord.Kind {
    init(_ kind: Prompt.Kind) {
        switch kind {
        case .biometry: self = .biometry
        case .companion: self = .companion
        case .passcode: self = .passcode
        case .newApplicationPassword: self = .newApplicationPassword
        case .applicationPassword: self = .applicationPassword
        }
    }
}

extension PromptResponse {
    /// What can be done about a prompt.
    func possible(at prompt: Prompt) -> PromptResponse {
        switch self {
        case .fallback where !prompt.offersFallback: .ignore
        case .after(_, let response): response.possible(at: prompt)
        default: self
        }
    }

    /// The answer as the keychain takes it, and as the log keeps it.
    var answer: (PromptAnswer, PromptRecord.Answer) {
        switch self {
        case .present(let name): (.presented(Array(name.utf8)), .presented(name))
        case .type(let text): (.typed(SimulatedDevice.secret(text)), .typed)
        case .approve: (.approved, .approved)
        case .fallback: (.fallback, .fallback)
        case .cancel: (.canceled, .canceled)
        case .ignore: (.nothing, .ignored)
        case .interrupt: (.interrupted, .interrupted)
        case .after(_, let response): response.answer
        }
    }
}
