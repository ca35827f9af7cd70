import KeychainModel

/// The answers that an agent, or a client with prompts of its own, may give.
///
/// Neither has access to a sensor or a paired device, so neither can answer for one.
package enum AgentAnswer {
    /// The most bytes of a typed answer, as many as a prompt accepts.
    static let byteCountLimit = 4095

    /// Returns the answer for the engine; nil for an answer that only a dishonest program gives.
    package static func allowed(_ answer: PromptAnswer, to prompt: Prompt) -> PromptAnswer? {
        switch answer {
        case .presented, .approved, .interrupted: nil
        case .typed(let text):
            switch prompt.kind {
            case .biometry, .companion: nil
            case .passcode, .applicationPassword, .newApplicationPassword:
                switch text.secret.byteCount {
                case 0: .nothing
                case ...byteCountLimit: answer
                default: nil
                }
            }
        case .fallback: prompt.offersFallback ? answer : .canceled
        case .canceled, .nothing, .impossible: answer
        }
    }
}
