import Cryptography
import TestSupport
import Testing

@Suite struct `A signed message` {
    private static let content = Array("a profile\n".utf8)

    /// Messages of OpenSSL's program about one content, by what was asked of it.
    private static let messages = Result { () throws -> [String: [UInt8]] in
        let workshop = try OpenSSLWorkshop()
        let key = try PrivateKey.generate(.ellipticCurve(.p256))
        try workshop.write(key.pkcs8().copyBytesUnprotected(), to: "key.der")
        try workshop.run("pkey -inform DER -in key.der -out key.pem")
        try workshop.run("req -x509 -new -key key.pem -out cert.pem -subj /CN=Ann")
        try workshop.write(content, to: "content")
        let sign = "cms -sign -binary -in content -signer cert.pem -inkey key.pem -outform DER"
        return [
            "whole": try workshop.run(sign + " -nodetach"),
            "detached": try workshop.run(sign),
            "without certificate": try workshop.run(sign + " -nodetach -nocerts"),
            "data": try workshop.run("cms -data_create -binary -in content -outform DER"),
            "encrypted": try workshop.run(
                "cms -encrypt -binary -in content -outform DER cert.pem"
            ),
        ]
    }

    private static func message(_ name: String) throws -> [UInt8] {
        try #require(try messages.get()[name])
    }

    @Test func `has its content and its signer`() throws {
        let message = try SignedMessage(Self.message("whole"))
        #expect(message.content == Self.content)
        #expect(message.signers.map(\.subjectSummary) == ["Ann"])
        #expect(message.certificates == message.signers)
    }

    @Test func `has its content in another place`() throws {
        let bytes = try Self.message("detached")
        #expect(throws: SignedMessage.Failure.detached) { try SignedMessage(bytes) }
        let message = try SignedMessage(bytes, content: Self.content)
        #expect(message.content == Self.content && message.signers.count == 1)
        #expect(throws: SignedMessage.Failure.wrongSignature) {
            try SignedMessage(bytes, content: Self.content + [0])
        }
    }

    @Test func `has a signer whose certificate is in it`() throws {
        #expect(throws: SignedMessage.Failure.wrongSignature) {
            try SignedMessage(Self.message("without certificate"))
        }
    }

    @Test func `that nobody signed has content, and one that is encrypted has none`() throws {
        let message = try SignedMessage(Self.message("data"))
        #expect(message.content == Self.content && message.signers.isEmpty)
        #expect(throws: SignedMessage.Failure.encrypted) {
            try SignedMessage(Self.message("encrypted"))
        }
    }

    @Test func `that was changed is refused, or says the same`() throws {
        let spoiled = SpoiledBytes.all(of: try Self.message("whole"))
        let read = spoiled.compactMap { try? SignedMessage($0) }
        #expect(read.allSatisfy { $0.content == Self.content && !$0.signers.isEmpty })
        #expect(read.count < spoiled.count / 2)
    }
}
