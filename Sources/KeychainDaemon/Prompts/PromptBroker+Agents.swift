import CallerEvidence
import KeychainModel
import KeychainServer
import KeychainWire

extension PromptBroker: AccountPrompts {
    package func agent(
        _ caller: JudgedCaller,
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        let id = try register(
            caller,
            deliver: { connection.deliver($0) },
            end: { connection.end() }
        )
        return RegisteredAgent(id: id, prompts: self)
    }
}

/// An agent's place among those of its account.
private struct RegisteredAgent: AgentRegistration {
    let id: AgentID
    let prompts: PromptBroker

    func answered(_ prompt: PromptID, _ answer: PromptAnswer) {
        prompts.agentAnswered(id, prompt, answer)
    }

    func left() { prompts.agentLeft(id) }
}
