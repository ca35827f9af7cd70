import TestSupport
import Testing

@testable import SSHAgentProtocol

/// A message of each type, as a client writes it.
private func samples() throws -> [(name: String, message: [UInt8])] {
    let key = try Fixture.publicKey("p256")
    let hop = Destinations.Hop(user: "ada", host: "shop", keys: [("ed25519", false)])
    return [
        ("identities", ClientMessage.identities),
        ("sign", ClientMessage.sign(key, Array("data".utf8))),
        ("add", try ClientMessage.add("p256")),
        ("add Ed25519", try ClientMessage.add("ed25519")),
        (
            "add with constraints",
            try ClientMessage.add(
                "ed25519",
                ClientMessage.lifetime(9) + ClientMessage.confirm
                    + Destinations.bytes([.init(to: hop)])
            )
        ),
        ("remove", ClientMessage.remove(key)), ("remove all", ClientMessage.removeAll),
        ("lock", ClientMessage.lock("x")), ("unlock", ClientMessage.unlock("x")),
        ("query", ClientMessage.query),
        ("bind", try ClientMessage.bind("ed25519", session: [1], forwarding: true)),
    ]
}

@Suite struct `Bytes that are no message` {
    @Test func `fail when a message is cut short, or goes on`() throws {
        for (name, message) in try samples() {
            for cut in SpoiledBytes.cut(message) where !cut.isEmpty {
                // A constraint that is missing is none.
                guard name != "add with constraints" || cut.count < message.count - 200 else {
                    continue
                }
                var agent = TestAgent()
                let reply = agent.reply(cut)
                let isFailure = reply == .failure || reply == .extensionFailure
                #expect(isFailure, "\(name), \(cut.count) bytes")
            }
            var agent = TestAgent()
            let reply = agent.reply(message + [0])
            #expect(reply == .failure || reply == .extensionFailure, "\(name)")
        }
    }

    @Test func `never trap, whichever bit is flipped`() throws {
        var agent = TestAgent()
        for (_, message) in try samples() {
            for changed in SpoiledBytes.flipped(message, 0x40) + SpoiledBytes.flipped(message, 0x01)
            {
                _ = agent.reply(changed)
                _ = agent.reply(ClientMessage.unlock("x"))
            }
        }
        #expect(agent.machine.keyCount <= AgentMachine.keyLimit)
    }

    @Test(arguments: [UInt32.max, 1 << 31, 262_145])
    func `fail when a size is larger than what follows`(size: UInt32) throws {
        var agent = TestAgent()
        for type in 0...255 as ClosedRange<UInt8> {
            let message = SSHWriter.bytes { writer in
                writer.byte(type)
                writer.uint32(size)
                writer.uint32(size)
            }
            guard type != 11, type != 19 else { continue }
            let reply = agent.reply(message)
            #expect(reply == .failure || reply == .extensionFailure, "\(type)")
        }
    }

    @Test func `fail when a key is on no curve, or of another`() throws {
        let blob = try Fixture.publicKey("p256").blob
        var off = blob
        off[blob.count - 1] ^= 1
        #expect(throws: SSHFormatError.malformed) { try SSHPublicKey(blob: off) }
        let other = SSHWriter.bytes { writer in
            writer.string("ecdsa-sha2-nistp384")
            writer.string("nistp384")
            writer.string(blob.suffix(65))
        }
        #expect(throws: SSHFormatError.malformed) { try SSHPublicKey(blob: other) }
    }

    @Test func `fail when an RSA key is too small`() throws {
        let small = SSHWriter.bytes { writer in
            writer.string("ssh-rsa")
            writer.integer([1, 0, 1])
            writer.integer([0x81] + [UInt8](repeating: 3, count: 63))
        }
        #expect(throws: SSHFormatError.unsupported("RSA keys of less than 1024 bits")) {
            try SSHPublicKey(blob: small)
        }
    }
}
