import KeychainModel

/// What an agent, or a client that prompts by itself, may answer.
///
/// Neither sees a sensor or a paired device, so neither can say that one saw somebody.
package enum AgentAnswer {
    /// The most bytes of a typed answer, as many as a prompt takes.
    static let byteCountLimit = 4095

    /// The answer as the engine may have it; nil for one that only a liar gives.
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
