import KeychainMessages
import KeychainModel
import KeychainWire
import MessageTestSupport
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@Suite(.requirement("DMN-16")) struct `A message on the wire` {
    @Test(arguments: WireSample.all)
    func `arrives as it was sent`(sample: WireSample) throws {
        let bytes = try sample.message.encoded()
        let arrived = try sample.message.side.decode(bytes)
        #expect(arrived.content == sample.message.content)
        #expect(try arrived.encoded() == bytes)
    }

    @Test(arguments: WireSample.all)
    func `is refused when it ends early or bytes follow`(sample: WireSample) throws {
        let bytes = try sample.message.encoded()
        let side = sample.message.side
        let accepted = SpoiledBytes.cut(bytes).filter { (try? side.decode($0)) != nil }
        #expect(accepted == [])
        #expect(throws: WireError.trailingBytes) { try side.decode(bytes + [0]) }
    }

    /// What a changed byte makes of a message is another message or an error, and what is read is
    /// written as it was: no two forms mean the same.
    @Test(arguments: WireSample.all, [0x80, 0x01, 0xFF] as [UInt8])
    func `is another one or refused when a byte differs`(
        sample: WireSample,
        bits: UInt8
    ) throws {
        let side = sample.message.side
        let changed = try SpoiledBytes.flipped(sample.message.encoded(), bits)
        let unlike = changed.filter { bytes in
            guard let message = try? side.decode(bytes) else { return false }
            return (try? message.encoded()) != bytes
        }
        #expect(unlike == [])
    }

    @Test func `has a name for every case`() {
        let clients = WireSample.clientMessages.map(caseName)
        let daemons = WireSample.daemonMessages.map(caseName)
        #expect(EnumSource.cases(of: "ClientMessage") == [Set(clients)])
        #expect(EnumSource.cases(of: "DaemonMessage") == [Set(daemons)])
    }

    private func caseName(_ message: Any) -> String {
        Mirror(reflecting: message).children.first?.label ?? "\(message)"
    }
}

@Suite struct `A find over the wire` {
    private static let query: AttributeDictionary = .of(
        .genericPassword,
        [.account: .string("ada"), .returnData: .bool(true), .matchLimit: .string(.limitOne)]
    )

    @Test func `asks what was asked, with the token of the session`() throws {
        var buffer = WireBuffer()
        try ClientMessage.request(.items(.copyMatching(Self.query)))
            .encode(token: WireSample.token, into: &buffer)
        let arrived = try buffer.withUnsafeBytes { bytes in try ClientMessage.decode(bytes) }
        #expect(arrived.token.matches(WireSample.token))
        guard case .request(.items(let request)) = arrived.message else {
            Issue.record("another message arrived")
            return
        }
        #expect(request == .copyMatching(Self.query))
    }

    @Test func `gets what was answered`() throws {
        let secret = SharedSecret(Secret(copying: [1, 2, 3]))
        var buffer = WireBuffer()
        try DaemonMessage.reply(.items(.result(.data(secret))), []).encode(into: &buffer)
        let message = try buffer.withUnsafeBytes { bytes in try DaemonMessage.decode(bytes) }
        guard case .reply(.items(.result(.data(let found))), let findings) = message else {
            Issue.record("another message arrived")
            return
        }
        let isTheSame = found.secret.constantTimeEquals(secret.secret)
        #expect(isTheSame)
        #expect(findings.isEmpty)
    }
}
