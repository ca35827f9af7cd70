import KeychainMessages
import KeychainServer
import KeychainWire
import MessageTransport
import Testing

@Suite struct `Messages that arrive together` {
    let rig: ServerRig

    init() throws { rig = try ServerRig() }

    private func bytes(_ message: ClientMessage, _ token: SessionToken) throws -> [UInt8] {
        var buffer = WireBuffer()
        try message.encode(token: token, into: &buffer)
        let body = buffer.withUnsafeBytes { Array($0) }
        return FrameHeader(bodyByteCount: body.count).encoded + body
    }

    private func isAnswered(_ client: RawClient) throws -> Bool {
        if case .reply(.device(.changed), _) = try client.receive() { true } else { false }
    }

    @Test func `are answered one after the other`() throws {
        let client = try rig.raw()
        let token = try client.greet()
        let call = try bytes(.request(.atOnce), token)
        try client.send(bytes: call + call + call)
        #expect(try isAnswered(client))
        #expect(try isAnswered(client))
        #expect(try isAnswered(client))
    }

    @Test func `may end in the middle of a header`() throws {
        let client = try rig.raw()
        let token = try client.greet()
        let call = try bytes(.request(.atOnce), token)
        try client.send(bytes: call + call.prefix(3))
        #expect(try isAnswered(client))
        try client.send(bytes: call.dropFirst(3) + Array(call.prefix(9)))
        #expect(try isAnswered(client))
        try client.send(bytes: Array(call.dropFirst(9)))
        #expect(try isAnswered(client))
    }

    @Test func `may be an answer right behind the call that needs it`() throws {
        let client = try rig.raw()
        let token = try client.greet(answersPrompts: true)
        let call = try bytes(.request(.challenged), token)
        try client.send(bytes: call + bytes(.answer(.words("typed")), token))
        guard case .challenge = try client.receive() else {
            Issue.record("no challenge")
            return
        }
        guard case .reply(.device(.changed(let warnings)), _) = try client.receive() else {
            Issue.record("no reply")
            return
        }
        #expect(warnings.map(\.reason) == ["typed"])
    }

    @Test func `are dropped with a session whose token the second lacks`() throws {
        let client = try rig.raw()
        let token = try client.greet()
        let other = try rig.raw().greet()
        try client.send(bytes: bytes(.request(.atOnce), token) + bytes(.request(.atOnce), other))
        #expect(try isAnswered(client))
        #expect(client.end()?.says("lacks the token") == true)
    }
}
