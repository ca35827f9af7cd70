import TestSupport
import Testing

@testable import SSHAgentProtocol

// The hosts are "ed25519" (shop), "p384" (bastion) and "rsa" (mail); the key is "p256".

private let session = Array("session".utf8)
private let second = Array("second".utf8)
private let shop = Destinations.Hop(host: "shop", keys: [("ed25519", false)])
private let bastion = Destinations.Hop(host: "bastion", keys: [("p384", false)])
private let mail = Destinations.Hop(host: "mail", keys: [("rsa", false)])

/// A login as ssh signs it.
private func login(
    _ session: [UInt8],
    as user: String = "ada",
    host: String? = nil,
    key name: String = "p256"
) throws -> [UInt8] {
    let key = try Fixture.publicKey(name)
    let hostKey = try host.map { try Fixture.publicKey($0) }
    return SSHWriter.bytes { writer in
        writer.string(session)
        writer.byte(50)
        writer.string(user)
        writer.string("ssh-connection")
        writer.string(hostKey == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
        writer.boolean(true)
        writer.string(key.type.name)
        writer.string(key.blob)
        if let hostKey { writer.string(hostKey.blob) }
    }
}

/// What a client of a connection gets of the key.
private struct Rights: Equatable, CustomStringConvertible {
    let isListed: Bool
    let signs: Bool

    var description: String {
        "\(isListed ? "" : "not ")listed, \(signs ? "signs" : "does not sign")"
    }
}

private func rights(
    _ steps: [Destinations.Step],
    _ bindings: [(host: String, session: [UInt8], isForwarding: Bool)],
    _ data: [UInt8]
) throws -> Rights {
    var agent = TestAgent()
    #expect(agent.reply(try ClientMessage.add("p256", try Destinations.bytes(steps))) == .success)
    var connection = AgentConnection()
    for binding in bindings {
        let bind = try ClientMessage.bind(
            binding.host,
            session: binding.session,
            forwarding: binding.isForwarding
        )
        #expect(agent.reply(bind, on: &connection) == .success)
    }
    let key = try Fixture.publicKey("p256")
    let isListed = agent.listed(on: &connection) == ["p256"]
    let reply = agent.reply(ClientMessage.sign(key, data), on: &connection)
    if case .signature = reply { return Rights(isListed: isListed, signs: true) }
    return Rights(isListed: isListed, signs: false)
}

@Suite(.requirement("AGT-01")) struct `A key with destinations` {
    @Test func `is listed without a session, and never signs there`() throws {
        let found = try rights([.init(to: shop)], [], try login(session))
        #expect(found == Rights(isListed: true, signs: false))
    }

    @Test func `logs in to its host`() throws {
        let found = try rights([.init(to: shop)], [("ed25519", session, false)], try login(session))
        #expect(found == Rights(isListed: true, signs: true))
        let bound = try rights(
            [.init(to: shop)],
            [("ed25519", session, false)],
            try login(session, host: "ed25519")
        )
        #expect(bound == Rights(isListed: true, signs: true))
    }

    @Test func `is hidden from another host`() throws {
        let found = try rights([.init(to: shop)], [("p384", session, false)], try login(session))
        #expect(found == Rights(isListed: false, signs: false))
    }

    @Test(arguments: [("ada", true), ("adam", true), ("grace", false)])
    func `logs in as the user that it names`(user: String, signs: Bool) throws {
        let to = Destinations.Hop(user: "ada*", host: "shop", keys: [("ed25519", false)])
        let data = try login(session, as: user)
        let found = try rights([.init(to: to)], [("ed25519", session, false)], data)
        #expect(found == Rights(isListed: true, signs: signs))
    }

    @Test func `logs in over a hop that it names, by the method that names the host`() throws {
        let steps = [Destinations.Step(to: bastion), .init(from: bastion, to: shop)]
        let way: [(String, [UInt8], Bool)] = [("p384", session, true), ("ed25519", second, false)]
        let bound = try rights(steps, way, try login(second, host: "ed25519"))
        #expect(bound == Rights(isListed: true, signs: true))
        let unbound = try rights(steps, way, try login(second))
        #expect(unbound == Rights(isListed: true, signs: false))
        let other = try rights(steps, way, try login(second, host: "p384"))
        #expect(other == Rights(isListed: true, signs: false))
    }

    @Test func `is hidden on a host that it may only be used to reach`() throws {
        let found = try rights([.init(to: bastion)], [("p384", session, true)], try login(session))
        #expect(found == Rights(isListed: false, signs: false))
    }

    @Test func `is shown on a hop, where it signs nothing`() throws {
        let steps = [Destinations.Step(to: bastion), .init(from: bastion, to: shop)]
        let found = try rights(steps, [("p384", session, true)], try login(session))
        #expect(found == Rights(isListed: true, signs: false))
    }

    @Test func `goes over no other hop`() throws {
        let steps = [Destinations.Step(to: bastion), .init(from: bastion, to: shop)]
        let way: [(String, [UInt8], Bool)] = [("rsa", session, true), ("ed25519", second, false)]
        let found = try rights(steps, way, try login(second, host: "ed25519"))
        #expect(found == Rights(isListed: false, signs: false))
        let direct = try rights(steps, [("ed25519", second, false)], try login(second))
        #expect(direct == Rights(isListed: false, signs: false))
    }

    @Test func `does not go on from its last hop`() throws {
        let steps = [Destinations.Step(to: bastion), .init(from: bastion, to: shop)]
        let way: [(String, [UInt8], Bool)] = [
            ("p384", session, true), ("ed25519", second, true), ("rsa", [9], false),
        ]
        let found = try rights(steps, way, try login([9], host: "rsa"))
        #expect(found == Rights(isListed: false, signs: false))
    }

    @Test(arguments: ["another session", "another key", "no login", "more behind it"])
    func `signs no other data`(what: String) throws {
        let data =
            switch what {
            case "another session": try login(second)
            case "another key": try login(session, key: "p521")
            case "more behind it": try login(session) + [0]
            default: Array("SSHSIG".utf8)
            }
        let found = try rights([.init(to: shop)], [("ed25519", session, false)], data)
        #expect(found == Rights(isListed: true, signs: false))
    }

    @Test func `logs in to hosts that an authority certifies`() throws {
        let to = Destinations.Hop(host: "shop.example.org", keys: [("authority", true)])
        var agent = TestAgent()
        _ = agent.reply(try ClientMessage.add("p256", try Destinations.bytes([.init(to: to)])))
        let bind = try ClientMessage.bind(
            "ed25519",
            session: session,
            forwarding: false,
            certificate: "host-cert"
        )
        var connection = AgentConnection()
        #expect(agent.reply(bind, on: &connection) == .success)
        #expect(agent.listed(on: &connection) == ["p256"])
        var plain = AgentConnection()
        let bare = try ClientMessage.bind("ed25519", session: session, forwarding: false)
        #expect(agent.reply(bare, on: &plain) == .success)
        #expect(agent.listed(on: &plain) == [])
        agent.secondsSince1970 = 4_000_000_000
        #expect(agent.listed(on: &connection) == [])
    }

    @Test func `is not removed by a client that may not see it`() throws {
        var agent = TestAgent()
        _ = agent.reply(try ClientMessage.add("p256", try Destinations.bytes([.init(to: shop)])))
        let key = try Fixture.publicKey("p256")
        var connection = AgentConnection()
        let bind = try ClientMessage.bind("p384", session: session, forwarding: false)
        _ = agent.reply(bind, on: &connection)
        #expect(agent.reply(ClientMessage.remove(key), on: &connection) == .failure)
        #expect(agent.reply(ClientMessage.remove(key)) == .success)
    }

    @Test(
        arguments: [
            (
                "a user in from",
                .init(from: .init(user: "x", host: "bastion", keys: [("p384", false)]), to: shop)
            ),
            ("a host without keys in from", .init(from: .init(host: "bastion"), to: shop)),
            ("keys without a host in from", .init(from: .init(keys: [("p384", false)]), to: shop)),
            ("no host in to", .init(to: .init(keys: [("p384", false)]))),
            ("no keys in to", .init(to: .init(host: "shop"))),
        ] as [(String, Destinations.Step)]
    )
    fileprivate func `is not added with half a step`(
        name: String,
        step: Destinations.Step
    ) throws {
        var agent = TestAgent()
        #expect(
            agent.reply(try ClientMessage.add("p256", try Destinations.bytes([step]))) == .failure
        )
    }

    @Test func `is not added with its constraint cut short`() throws {
        let constraint = try Destinations.bytes([.init(from: bastion, to: shop)])
        var agent = TestAgent()
        let replies = try SpoiledBytes.cut(constraint).dropFirst().map { cut in
            agent.reply(try ClientMessage.add("p256", cut))
        }
        #expect(Set(replies) == [.failure])
        #expect(agent.listed() == [])
    }
}

@Suite(.requirement("AGT-01")) struct `A binding` {
    @Test(
        arguments: [
            ("of another session", second, "ed25519"), ("of another host", session, "authority"),
            ("of another kind", session, "p256"),
        ]
    )
    func `needs the host key's signature over the session`(
        name: String,
        signed: [UInt8],
        signer: String
    ) throws {
        var agent = TestAgent()
        var connection = AgentConnection()
        let bind = try ClientMessage.bind(
            "ed25519",
            session: session,
            forwarding: false,
            signature: try Fixture.signature(signed, by: signer)
        )
        #expect(agent.reply(bind, on: &connection) == .extensionFailure)
        #expect(connection.hostKey == nil)
        #expect(connection.hasFailedBinding)
    }

    @Test(arguments: ["ed25519", "p256", "p384", "p521", "rsa"])
    func `works with host keys of each kind`(host: String) throws {
        var agent = TestAgent()
        var connection = AgentConnection()
        let bind = try ClientMessage.bind(host, session: session, forwarding: false)
        #expect(agent.reply(bind, on: &connection) == .success)
        #expect(connection.hostKey == (try Fixture.publicKey(host)))
    }

    @Test func `is the last one unless it is for forwarding`() throws {
        var agent = TestAgent()
        var connection = AgentConnection()
        let first = try ClientMessage.bind("ed25519", session: session, forwarding: false)
        #expect(agent.reply(first, on: &connection) == .success)
        let next = try ClientMessage.bind("p384", session: second, forwarding: false)
        #expect(agent.reply(next, on: &connection) == .extensionFailure)
        #expect(agent.reply(first, on: &connection) == .extensionFailure)
    }

    @Test func `may come twice, but not with another host key`() throws {
        var agent = TestAgent()
        var connection = AgentConnection()
        let first = try ClientMessage.bind("ed25519", session: session, forwarding: true)
        #expect(agent.reply(first, on: &connection) == .success)
        #expect(agent.reply(first, on: &connection) == .success)
        #expect(connection.bindings.count == 1)
        let other = try ClientMessage.bind("p384", session: session, forwarding: true)
        #expect(agent.reply(other, on: &connection) == .extensionFailure)
    }

    @Test func `is one of at most 16, of at most 128 bytes`() throws {
        var agent = TestAgent()
        var connection = AgentConnection()
        let replies = try (0..<17 as Range<UInt8>).map { number in
            let bind = try ClientMessage.bind("ed25519", session: [number], forwarding: true)
            return agent.reply(bind, on: &connection)
        }
        #expect(replies == Array(repeating: .success, count: 16) + [.extensionFailure])
        var other = AgentConnection()
        let long = [UInt8](repeating: 1, count: 129)
        let bind = try ClientMessage.bind("ed25519", session: long, forwarding: true)
        #expect(agent.reply(bind, on: &other) == .extensionFailure)
    }
}
