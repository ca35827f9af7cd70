import Testing

@testable import SSHAgentProtocol

private let data = Array("what is signed".utf8)

@Suite struct `The keychain's keys` {
    private static func agent() throws -> TestAgent {
        var agent = TestAgent()
        agent.kept = [
            AgentIdentity(try Fixture.publicKey("p256"), comment: "kept", item: [1]),
            AgentIdentity(try Fixture.publicKey("rsa"), comment: "kept RSA", item: [2]),
        ]
        return agent
    }

    @Test func `are listed behind those that were added`() throws {
        var agent = try Self.agent()
        _ = agent.reply(try ClientMessage.add("ed25519"))
        #expect(agent.listed() == ["ed25519", "kept", "kept RSA"])
        let reply = agent.reply(ClientMessage.sign(try Fixture.publicKey("rsa"), data))
        #expect(reply == .failure)
        guard case .kept? = agent.orders.last?.place else {
            Issue.record("the keychain was not asked")
            return
        }
    }

    @Test func `are hidden by the same key with constraints`() throws {
        var agent = try Self.agent()
        let to = Destinations.Hop(host: "shop", keys: [("ed25519", false)])
        let destination = try Destinations.bytes([.init(to: to)])
        _ = agent.reply(try ClientMessage.add("p256", destination))
        #expect(agent.listed() == ["p256", "kept RSA"])
        let key = try Fixture.publicKey("p256")
        #expect(agent.reply(ClientMessage.sign(key, data)) == .failure)
        #expect(agent.orders.isEmpty)
    }

    /// Anybody can make a certificate about a key, and ask for a signature by its blob.
    @Test(arguments: [true, false])
    func `are hidden with every certificate about them`(isAdded: Bool) throws {
        var agent = try Self.agent()
        let key = try Fixture.publicKey("p256")
        let certificate = try Fixture.publicKey("p256-cert")
        agent.kept.append(AgentIdentity(certificate, comment: "kept certificate", item: [1]))
        #expect(agent.listed() == ["kept", "kept RSA", "kept certificate"])
        _ = agent.reply(isAdded ? try ClientMessage.add("p256") : ClientMessage.remove(key))
        #expect(agent.listed() == (isAdded ? ["p256"] : []) + ["kept RSA"])
        #expect(agent.reply(ClientMessage.sign(certificate, data)) == .failure)
        #expect(agent.orders.isEmpty)
        #expect(agent.reply(ClientMessage.remove(certificate)) == .failure)
    }

    @Test func `stay when a certificate about them is removed`() throws {
        var agent = try Self.agent()
        let certificate = try Fixture.publicKey("p256-cert")
        agent.kept.append(AgentIdentity(certificate, comment: "kept certificate", item: [1]))
        #expect(agent.reply(ClientMessage.remove(certificate)) == .success)
        #expect(agent.listed() == ["kept", "kept RSA"])
    }

    @Test func `are hidden when they are removed, until they are shown again`() throws {
        var agent = try Self.agent()
        let key = try Fixture.publicKey("p256")
        #expect(agent.reply(ClientMessage.remove(key)) == .success)
        #expect(agent.reply(ClientMessage.remove(key)) == .failure)
        #expect(agent.listed() == ["kept RSA"])
        _ = agent.reply(ClientMessage.sign(key, data))
        #expect(agent.orders.isEmpty)
        #expect(agent.reply(ClientMessage.removeAll) == .success)
        #expect(agent.listed() == [])
        agent.machine.showAllKept()
        #expect(agent.listed() == ["kept", "kept RSA"])
    }

    @Test func `are offered if they come after all were removed`() throws {
        var agent = try Self.agent()
        #expect(agent.reply(ClientMessage.removeAll) == .success)
        let key = try Fixture.publicKey("p521")
        agent.kept.append(AgentIdentity(key, comment: "new", item: [3]))
        #expect(agent.listed() == ["new"])
        // A key that is stored again is another item.
        agent.kept[0] = AgentIdentity(agent.kept[0].key, comment: "again", item: [4])
        #expect(agent.listed() == ["again", "new"])
    }

    @Test func `fail to be removed if there is none`() throws {
        var agent = try Self.agent()
        #expect(agent.reply(ClientMessage.remove(try Fixture.publicKey("p521"))) == .failure)
    }
}
