import TestSupport
import Testing

@testable import SSHAgentProtocol

/// A message as a client writes it.
private struct Sample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable () throws -> [UInt8]

    init(_ name: String, _ make: @escaping @Sendable () throws -> [UInt8]) {
        testDescription = name
        self.make = make
    }

    private static var constraints: [UInt8] {
        get throws {
            let hop = Destinations.Hop(user: "ada", host: "shop", keys: [("ed25519", false)])
            return ClientMessage.lifetime(9) + ClientMessage.confirm
                + (try Destinations.bytes([.init(to: hop)]))
        }
    }

    static let all: [Sample] = [
        Sample("identities") { ClientMessage.identities },
        Sample("sign") { ClientMessage.sign(try Fixture.publicKey("p256"), Array("data".utf8)) },
        Sample("add") { try ClientMessage.add("p256") },
        Sample("add Ed25519") { try ClientMessage.add("ed25519") },
        Sample("add with constraints") { try ClientMessage.add("ed25519", try constraints) },
        Sample("remove") { ClientMessage.remove(try Fixture.publicKey("p256")) },
        Sample("remove all") { ClientMessage.removeAll },
        Sample("lock") { ClientMessage.lock("x") }, Sample("unlock") { ClientMessage.unlock("x") },
        Sample("query") { ClientMessage.query },
        Sample("bind") { try ClientMessage.bind("ed25519", session: [1], forwarding: true) },
    ]
}

/// What a new agent replies.
private func isFailure(_ message: [UInt8]) -> Bool {
    var agent = TestAgent()
    let reply = agent.reply(message)
    return reply == .failure || reply == .extensionFailure
}

@Suite struct `Bytes that are no message` {
    @Test(arguments: Sample.all)
    fileprivate func `fail when a message is cut short, or goes on`(sample: Sample) throws {
        let message = try sample.make()
        // A constraint that is missing is none.
        let optional = sample.testDescription == "add with constraints" ? 200 : 0
        let cut = SpoiledBytes.cut(message).dropFirst().dropLast(optional)
        #expect(cut.allSatisfy(isFailure))
        #expect(isFailure(message + [0]))
    }

    @Test(arguments: Sample.all)
    fileprivate func `never trap, whichever bit is flipped`(sample: Sample) throws {
        var agent = TestAgent()
        let message = try sample.make()
        let changed = SpoiledBytes.flipped(message, 0x40) + SpoiledBytes.flipped(message, 0x01)
        let replies = changed.map { message in
            [agent.reply(message), agent.reply(ClientMessage.unlock("x"))]
        }
        #expect(replies.count == 2 * message.count)
    }

    @Test(arguments: [UInt32.max, 1 << 31, 262_145], Array(0...255 as ClosedRange<UInt8>))
    func `fail when a size is larger than what follows`(size: UInt32, type: UInt8) {
        let message = SSHWriter.bytes { writer in
            writer.byte(type)
            writer.uint32(size)
            writer.uint32(size)
        }
        #expect(isFailure(message))
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
