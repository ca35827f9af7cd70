import Cryptography
import TestSupport
import Testing

@testable import SSHAgentProtocol

private let data = Array("what is signed".utf8)
private let names = ["ed25519", "p256", "p384", "p521", "rsa"]

@Suite(.requirement("AGT-01")) struct `An agent` {
    @Test(arguments: names) func `signs with keys that were added`(name: String) throws {
        var agent = TestAgent()
        let key = try Fixture.publicKey(name)
        #expect(agent.reply(ClientMessage.sign(key, data)) == .failure)
        #expect(agent.reply(try ClientMessage.add(name)) == .success)
        #expect(agent.listed() == [name])
        let reply = agent.reply(ClientMessage.sign(key, data))
        guard case .signature(let signature) = reply else {
            Issue.record("no signature")
            return
        }
        #expect(try signature.isValid(for: data, by: key))
    }

    @Test(arguments: ["ed25519", "p256", "rsa"])
    func `signs with a certificate's key, too`(name: String) throws {
        var agent = TestAgent()
        let certificate = try Fixture.publicKey(name + "-cert")
        _ = agent.reply(try ClientMessage.add(name))
        #expect(agent.reply(try Self.added(name, certificate)) == .success)
        #expect(agent.listed() == [name, "certified"])
        let reply = agent.reply(ClientMessage.sign(certificate, data))
        guard case .signature(let signature) = reply else {
            Issue.record("no signature")
            return
        }
        #expect(signature.name == (name == "rsa" ? "rsa-sha2-512" : certificate.type.plainName))
        #expect(try signature.isValid(for: data, by: certificate))
    }

    /// The private fields of a certified key are those behind the public half.
    private static func added(_ name: String, _ certificate: SSHPublicKey) throws -> [UInt8] {
        let plain = try Fixture.identity(name)
        let fields = try plain.withUnsafeBufferPointer { buffer throws(SSHFormatError) in
            var reader = SSHReader(UnsafeRawBufferPointer(buffer))
            _ = try reader.name()
            if name == "p256" || name == "rsa" { _ = try reader.bytes() }
            if name == "p256" || name == "rsa" { _ = try reader.bytes() }
            return Array(reader.rest)
        }
        let comment = SSHWriter.bytes { $0.string(name) }
        return SSHWriter.bytes { writer in
            writer.byte(17)
            writer.string(certificate.type.name)
            writer.string(certificate.blob)
        } + fields.dropLast(comment.count) + SSHWriter.bytes { $0.string("certified") }
    }

    @Test func `refuses a certificate about another key`() throws {
        var agent = TestAgent()
        let other = try Fixture.publicKey("ed25519-cert")
        let fields = try Fixture.identity("authority").dropFirst(4 + 11)
        let message = SSHWriter.bytes { writer in
            writer.byte(17)
            writer.string(other.type.name)
            writer.string(other.blob)
        }
        #expect(agent.reply(message + fields) == .failure)
    }

    @Test func `answers as the draft shows`() throws {
        var agent = TestAgent()
        #expect(agent.reply(ClientMessage.identities).message == [12, 0, 0, 0, 0])
        #expect(agent.reply(ClientMessage.removeAll).message == [6])
        #expect(agent.reply([200]).message == [5])
        let key = try Fixture.publicKey("ed25519")
        _ = agent.reply(try ClientMessage.add("ed25519"))
        let listing = agent.reply(ClientMessage.identities).message
        #expect(
            listing
                == SSHWriter.bytes { writer in
                    writer.byte(12)
                    writer.uint32(1)
                    writer.string(key.blob)
                    writer.string("ed25519")
                }
        )
        // Ed25519 is deterministic: the signature of ssh-keygen's key over the data.
        let signed = agent.reply(ClientMessage.sign(key, data)).message
        let expected = try Fixture.signature(data, by: "ed25519").blob
        #expect(
            signed
                == SSHWriter.bytes {
                    $0.byte(14); $0.string(expected)
                }
        )
        #expect(
            agent.reply(ClientMessage.query).message
                == SSHWriter.bytes { writer in
                    writer.byte(29)
                    writer.string("query")
                    writer.string("query")
                    writer.string("session-bind@openssh.com")
                }
        )
        let unknown = ClientMessage.extended("frobnicate@example.org") { $0.string("x") }
        #expect(agent.reply(unknown).message == [5])
        let broken = ClientMessage.extended("session-bind@openssh.com") { $0.string("x") }
        #expect(agent.reply(broken).message == [28])
    }

    @Test(arguments: [20, 21, 26, 1, 9, 5, 6, 12, 14, 28, 29, 0, 255] as [UInt8])
    func `fails for requests that it does not serve`(type: UInt8) {
        var agent = TestAgent()
        #expect(agent.reply([type]) == .failure)
        #expect(agent.reply([type] + SSHWriter.bytes { $0.string("reader") }) == .failure)
    }

    @Test func `replaces the comment and the constraints of a key that comes again`() throws {
        var agent = TestAgent()
        _ = agent.reply(try ClientMessage.add("p256", ClientMessage.confirm))
        _ = agent.reply(try ClientMessage.add("p256"))
        #expect(agent.listed() == ["p256"])
        _ = agent.reply(ClientMessage.sign(try Fixture.publicKey("p256"), data))
        #expect(agent.orders.last?.needsConfirmation == false)
    }

    @Test func `forgets one key, or all`() throws {
        var agent = TestAgent()
        let replies = try names.map { agent.reply(try ClientMessage.add($0)) }
        #expect(Set(replies) == [.success])
        #expect(agent.reply(ClientMessage.remove(try Fixture.publicKey("p384"))) == .success)
        #expect(agent.reply(ClientMessage.remove(try Fixture.publicKey("p384"))) == .failure)
        #expect(agent.listed() == ["ed25519", "p256", "p521", "rsa"])
        #expect(agent.reply(ClientMessage.removeAll) == .success)
        #expect(agent.listed() == [])
        #expect(agent.machine.keyCount == 0)
    }

    @Test func `forgets a key when its lifetime is over`() throws {
        var agent = TestAgent()
        _ = agent.reply(try ClientMessage.add("p256", ClientMessage.lifetime(60)))
        _ = agent.reply(try ClientMessage.add("ed25519"))
        #expect(agent.machine.nextEnd == agent.uptime + .seconds(60))
        agent.uptime += .milliseconds(59_999)
        #expect(agent.listed() == ["p256", "ed25519"])
        agent.uptime += .milliseconds(1)
        let key = try Fixture.publicKey("p256")
        #expect(agent.reply(ClientMessage.sign(key, data)) == .failure)
        #expect(agent.listed() == ["ed25519"])
        #expect(agent.machine.nextEnd == nil)
    }

    @Test func `gives keys its own lifetime if they have none`() throws {
        var agent = TestAgent(lifetimeSeconds: 10)
        _ = agent.reply(try ClientMessage.add("p256", ClientMessage.lifetime(60)))
        _ = agent.reply(try ClientMessage.add("ed25519"))
        agent.uptime += .seconds(10)
        #expect(agent.listed() == ["p256"])
    }

    @Test(arguments: ["stays", "is removed", "ends", "locked"])
    func `signs after a question only with a key that it still has`(change: String) throws {
        var agent = TestAgent()
        let constraints = ClientMessage.confirm + ClientMessage.lifetime(60)
        _ = agent.reply(try ClientMessage.add("p256", constraints))
        _ = agent.reply(ClientMessage.sign(try Fixture.publicKey("p256"), data))
        let order = try #require(agent.orders.last)
        switch change {
        case "is removed": _ = agent.reply(ClientMessage.removeAll)
        case "ends": agent.uptime += .seconds(60)
        case "locked": _ = agent.reply(ClientMessage.lock("open sesame"))
        default: break
        }
        #expect(agent.machine.stillPermits(order, at: agent.uptime) == (change == "stays"))
    }

    @Test func `says in its question which key, which host and which way`() throws {
        var agent = TestAgent()
        _ = agent.reply(try ClientMessage.add("p256", ClientMessage.confirm))
        let key = try Fixture.publicKey("p256")
        _ = agent.reply(ClientMessage.sign(key, data))
        #expect(agent.orders.last?.needsConfirmation == true)
        let name = key.fingerprint
        #expect(agent.orders.last?.comment == "p256")
        #expect(agent.orders.last?.question == ["Allow SSH to use the key \(name)?"])
        var connection = AgentConnection()
        let session = Array("session".utf8)
        let bind = try ClientMessage.bind("ed25519", session: session, forwarding: true)
        #expect(agent.reply(bind, on: &connection) == .success)
        _ = agent.reply(ClientMessage.sign(key, data), on: &connection)
        let host = try Fixture.publicKey("ed25519").fingerprint
        #expect(
            agent.orders.last?.question == [
                "Allow SSH to use the key \(name)?", "Host key: \(host)",
                "The request comes through a forwarded connection.",
            ]
        )
    }

    @Test(
        arguments: [
            ("a lifetime twice", ClientMessage.lifetime(1) + ClientMessage.lifetime(1)),
            ("confirm twice", [2, 2]), ("a number of signatures", [3, 0, 0, 0, 1]),
            ("an unknown one", [9]), ("half a lifetime", [1, 0, 0]),
            (
                "an unknown extension",
                SSHWriter.bytes {
                    $0.byte(255); $0.string("x@y"); $0.string("")
                }
            ),
            (
                "no destination",
                SSHWriter.bytes {
                    $0.byte(255)
                    $0.string(KeyConstraints.destinationExtension)
                    $0.string("")
                }
            ),
        ] as [(String, [UInt8])]
    )
    func `does not add a key with other constraints`(name: String, constraints: [UInt8]) throws {
        var agent = TestAgent()
        #expect(agent.reply(try ClientMessage.add("p256", constraints)) == .failure)
        #expect(agent.listed() == [])
    }

    private static func added(_ number: Int, _ comment: String) throws -> [UInt8] {
        let seed = [UInt8](repeating: UInt8(number & 0xff), count: 31) + [UInt8(number >> 8)]
        let key = try PrivateKey(family: .ed25519, externalRepresentation: .init(copying: seed))
        let point = key.publicKey.externalRepresentation
        return SSHWriter.bytes { writer in
            writer.byte(17)
            writer.string("ssh-ed25519")
            writer.string(point)
            writer.string(seed + point)
            writer.string(comment)
        }
    }

    @Test func `holds a bounded number of keys`() throws {
        var agent = TestAgent()
        let replies = try (0...AgentMachine.keyLimit).map { number in
            agent.reply(try Self.added(number, ""))
        }
        #expect(replies.dropLast().allSatisfy { $0 == .success })
        #expect(replies.last == .failure)
        #expect(agent.machine.keyCount == AgentMachine.keyLimit)
    }

    @Test func `holds no more keys than a list has room for`() throws {
        var agent = TestAgent()
        let comment = String(repeating: "c", count: 1024)
        let replies = try (0..<200).map { number in agent.reply(try Self.added(number, comment)) }
        #expect(replies.last == .failure)
        guard case .identities(let found) = agent.reply(ClientMessage.identities) else {
            Issue.record("no list")
            return
        }
        #expect(found.count == replies.count { $0 == .success })
        #expect(AgentReply.identities(found).message.count < AgentFrame.byteCountLimit)
        #expect(agent.reply(try Self.added(0, comment)) == .success)
    }
}

@Suite(.requirement("AGT-01")) struct `A locked agent` {
    private static func agent() throws -> TestAgent {
        var agent = TestAgent()
        agent.kept = [AgentIdentity(try Fixture.publicKey("p256"), comment: "kept")]
        _ = agent.reply(try ClientMessage.add("ed25519"))
        #expect(agent.reply(ClientMessage.lock("open sesame")) == .success)
        return agent
    }

    @Test func `lists nothing and does nothing`() throws {
        var agent = try Self.agent()
        let key = try Fixture.publicKey("ed25519")
        #expect(agent.machine.isLocked)
        #expect(agent.listed() == [])
        #expect(agent.reply(ClientMessage.sign(key, data)) == .failure)
        #expect(agent.reply(try ClientMessage.add("rsa")) == .failure)
        #expect(agent.reply(ClientMessage.remove(key)) == .failure)
        #expect(agent.reply(ClientMessage.removeAll) == .failure)
        #expect(agent.reply(ClientMessage.query) == .failure)
        #expect(agent.reply(ClientMessage.lock("another")) == .failure)
        #expect(agent.orders.isEmpty)
        #expect(agent.reply(ClientMessage.unlock("open sesame")) == .success)
        #expect(agent.listed() == ["ed25519", "kept"])
    }

    @Test func `answers wrong passphrases later and later`() throws {
        var agent = try Self.agent()
        let delays = (0..<9).map { _ in
            #expect(agent.reply(ClientMessage.unlock("open barley")) == .failure)
            let delay = agent.delay ?? .zero
            agent.uptime += delay
            return delay
        }
        let seconds = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10]
        #expect(delays == seconds.map { Duration.milliseconds(Int64($0 * 1000)) })
        #expect(agent.reply(ClientMessage.unlock("open sesame")) == .success)
    }

    @Test func `tries no passphrase before its time`() throws {
        var agent = try Self.agent()
        _ = agent.reply(ClientMessage.unlock("open barley"))
        agent.uptime += .milliseconds(99)
        #expect(agent.reply(ClientMessage.unlock("open sesame")) == .failure)
        #expect(agent.delay == .milliseconds(1))
        agent.uptime += .milliseconds(1)
        #expect(agent.reply(ClientMessage.unlock("open sesame")) == .success)
    }

    @Test func `leaves a connection that was bound meanwhile without restricted keys`() throws {
        var agent = TestAgent()
        let to = Destinations.Hop(host: "shop", keys: [("ed25519", false)])
        _ = agent.reply(try ClientMessage.add("p256", try Destinations.bytes([.init(to: to)])))
        _ = agent.reply(ClientMessage.lock("x"))
        var connection = AgentConnection()
        let session = Array("session".utf8)
        let bind = try ClientMessage.bind("ed25519", session: session, forwarding: false)
        #expect(agent.reply(bind, on: &connection) == .extensionFailure)
        _ = agent.reply(ClientMessage.unlock("x"))
        #expect(agent.listed(on: &connection) == [])
        #expect(agent.listed() == ["p256"])
    }

    @Test func `is unlocked by nothing if it is not locked`() {
        var agent = TestAgent()
        #expect(agent.reply(ClientMessage.unlock("")) == .failure)
    }
}
