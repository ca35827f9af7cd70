import CallerEvidence
import KeychainModel
import KeychainPrompts
import KeychainWire

/// A prompter for one program, which asks the users of an account.
///
/// The daemon itself reads a finger. For typed answers, the program prompts if it can, or else the
/// account's agent. Without either, the prompt fails at once.
struct BrokeredPrompter: Prompter {
    let broker: PromptBroker
    let caller: JudgedCaller
    let client: (any ClientPrompting)?
    let isAlive: @Sendable () -> Bool

    func answer(_ prompt: Prompt) -> PromptAnswer { answer(prompt, while: { true }) }

    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        let isWanted = { @Sendable [isAlive] in isWanted() && isAlive() }
        switch prompt.kind {
        case .companion: return .impossible
        case .biometry: return finger(prompt, while: isWanted)
        case .passcode, .applicationPassword, .newApplicationPassword:
            if let client {
                let answer = atClient(client, prompt, while: isWanted)
                guard case .impossible = answer else { return answer }
            }
            return broker.ask(named(prompt), by: .agent, while: isWanted) { _ in nil }
        }
    }

    private func named(_ prompt: Prompt) -> AgentPrompt {
        AgentPrompt(prompt, program: caller.name, level: caller.level)
    }

    private func atClient(
        _ client: any ClientPrompting,
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        broker.ask(named(prompt), by: .asker, while: isWanted) { isOpen in
            // An answer that a client cannot give counts as none.
            AgentAnswer.allowed(client.answer(prompt, while: isOpen), to: prompt) ?? .nothing
        }
    }

    /// Reads a finger while the agent shows that the reader waits for one.
    ///
    /// Without an agent it does nothing, because the reason for the prompt would be unknown.
    private func finger(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard let reader = broker.reader, broker.hasAgent else { return .nothing }
        return broker.ask(named(prompt), by: .agent, while: isWanted) { isOpen in
            let answer = reader.verify(while: isOpen)
            // Either the reader saw no finger, or the agent has answered: Cancel, or the fallback.
            if case .nothing = answer, isOpen() == false { return nil }
            return answer
        }
    }
}
