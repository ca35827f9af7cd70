import CallerEvidence
import KeychainModel
import KeychainPrompts
import KeychainWire

/// Asks the people of an account for one program.
///
/// A finger is read by the daemon itself; what is typed is asked by the program if it can, else by
/// the account's agent. Without either it is refused at once.
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
            // A client that claims more than a client can know has answered nothing.
            AgentAnswer.allowed(client.answer(prompt, while: isOpen), to: prompt) ?? .nothing
        }
    }

    /// Reads a finger while the agent says that the reader waits for one.
    ///
    /// Nobody is asked where nobody would know what the reader waits for.
    private func finger(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard let reader = broker.reader, broker.hasAgent else { return .nothing }
        return broker.ask(named(prompt), by: .agent, while: isWanted) { isOpen in
            let answer = reader.verify(while: isOpen)
            // The reader saw nobody, or the agent has answered: Cancel, or another way.
            if case .nothing = answer, isOpen() == false { return nil }
            return answer
        }
    }
}
