import KeychainModel

/// A user's response to one prompt.
///
/// ```swift
/// phone.script(.present("stranger"), .cancel)  // a wrong face, and then the Cancel button
/// ```
public enum PromptResponse: Sendable {
    /// The user presents a face or finger by this name.
    case present(String)
    /// The user types a passcode or an application password.
    case type(String)
    /// The user confirms on a paired device.
    case approve
    /// The user taps the fallback button; without such a button, nothing happens.
    case fallback
    /// The user taps Cancel.
    case cancel
    /// The user does nothing until the prompt disappears.
    case ignore
    /// Another app comes to the front, and the system removes the prompt.
    case interrupt
    /// The device changes while the prompt is visible, and then the user responds.
    ///
    /// ```swift
    /// phone.script(.after({ $0.lock() }, .present("owner")))
    /// ```
    indirect case after(@Sendable (SimulatedDevice) -> Void, PromptResponse)
}

/// A prompt that the device showed, and the user's response.
///
/// ```swift
/// let prompt = phone.prompts.last
/// #expect(prompt?.kind == .passcode && prompt?.answer == .canceled)
/// ```
public struct PromptRecord: Sendable, Hashable {
    /// The kind of proof that a prompt requests.
    ///
    /// ```swift
    /// #expect(phone.prompts.map(\.kind) == [.biometry, .passcode])
    /// ```
    public enum Kind: Sendable, Hashable {
        /// A face or finger.
        case biometry
        /// A confirmation on a paired device.
        case companion
        /// The device's passcode.
        case passcode
        /// A password for a new item.
        case newApplicationPassword
        /// The application password of an existing item.
        case applicationPassword
    }

    /// The user's response, without any text that they typed.
    ///
    /// ```swift
    /// #expect(phone.prompts.map(\.answer) == [.presented("stranger"), .typed])
    /// ```
    public enum Answer: Sendable, Hashable {
        /// The user presented a face or finger by this name.
        case presented(String)
        /// The user typed text.
        case typed
        /// The user confirmed on a paired device.
        case approved
        /// The user tapped the fallback button.
        case fallback
        /// The user tapped Cancel.
        case canceled
        /// The user did nothing.
        case ignored
        /// The system removed the prompt.
        case interrupted
    }

    /// The kind of proof that the prompt requested.
    public let kind: Kind
    /// The reason that the program gave.
    public let reason: String?
    /// Whether the prompt had a fallback button.
    public let offersFallback: Bool
    /// The program's title for the fallback button; nil for the system's title.
    public let fallbackTitle: String?
    /// The bundle identifier of the app that caused the prompt.
    public let app: String
    /// The user's response.
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
    /// Returns the response that is possible at a prompt.
    func possible(at prompt: Prompt) -> PromptResponse {
        switch self {
        case .fallback where !prompt.offersFallback: .ignore
        case .after(_, let response): response.possible(at: prompt)
        default: self
        }
    }

    /// The answer in the keychain's form and in the log's form.
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
