import KeychainMessages
import KeychainModel
import Secrets
import Testing

@testable import KeychainWire

@Suite struct `A find over the wire` {
    private static let token = SessionToken(SharedSecret(Secret(copying: Array(1...16))))

    private func arrived(
        _ message: ClientMessage
    ) throws -> (token: ReceivedToken, message: ClientMessage) {
        var buffer = WireBuffer()
        try message.encode(token: Self.token, into: &buffer)
        return try buffer.withUnsafeBytes { bytes in try ClientMessage.decode(bytes) }
    }

    @Test func `asks what was asked`() throws {
        let query: AttributeDictionary = [
            "class": .string("genp"), "svce": .string("mail"), "acct": .string("ada"),
            "m_Limit": .string("m_LimitOne"), "r_Data": .bool(true),
        ]
        let arrived = try arrived(.request(.items(.copyMatching(query))))
        #expect(arrived.token.matches(Self.token))
        guard case .request(.items(let request)) = arrived.message else {
            Issue.record("another message arrived")
            return
        }
        #expect(request == .copyMatching(query))
    }

    @Test func `gets what was answered`() throws {
        var buffer = WireBuffer()
        let secret = SharedSecret(Secret(copying: [1, 2, 3]))
        try DaemonMessage.reply(.items(.result(.data(secret))), []).encode(into: &buffer)
        let message = try buffer.withUnsafeBytes { bytes in try DaemonMessage.decode(bytes) }
        guard case .reply(.items(.result(.data(let found))), []) = message else {
            Issue.record("another message arrived")
            return
        }
        let isTheSame = found.secret.constantTimeEquals(secret.secret)
        #expect(isTheSame)
    }
}
