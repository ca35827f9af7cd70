import CallerEvidence
import KeychainMessages
import KeychainModel
import KeychainWire
import MessageTransport
import Testing

@Suite struct `An agent's connection` {
    private static let prompt = AgentPrompt(
        Prompt(.passcode),
        program: "/usr/bin/mailer",
        level: .verified
    )

    @Test func `is shown prompts and answers them`() throws {
        let rig = try ServerRig()
        let client = try rig.client()
        try client.send(.becomeAgent)
        rig.service.entered.wait()
        let agent = try #require(rig.service.seen.withLock { $0.agent })
        let id = PromptID(rawValue: 7)
        #expect(agent.deliver(.prompt(id, Self.prompt)))
        guard case .prompt(id, Self.prompt) = try client.receive() else {
            Issue.record("no prompt")
            return
        }
        try client.send(.promptAnswer(id, .words("typed")))
        rig.service.entered.wait()
        #expect(rig.service.seen.withLock { $0.promptAnswers } == [id])
        client.end()
        rig.service.noted.wait()
        #expect(rig.service.seen.withLock { $0.agentLeftCount } == 1)
    }

    @Test func `makes no calls`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.becomeAgent, token: token)
        try client.send(.request(.atOnce), token: token)
        #expect(client.end()?.says("not allowed at this point") == true)
    }

    @Test func `is ended by the service`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        try client.send(.becomeAgent, token: try client.greet())
        rig.service.entered.wait()
        rig.service.seen.withLock { $0.agent }?.end()
        #expect(client.end() == .closed)
    }

    @Test func `cannot answer prompts before it is one`() throws {
        let rig = try ServerRig()
        let client = try rig.raw()
        let token = try client.greet()
        try client.send(.promptAnswer(PromptID(rawValue: 1), .canceled), token: token)
        #expect(client.end()?.says("not allowed at this point") == true)
    }
}
