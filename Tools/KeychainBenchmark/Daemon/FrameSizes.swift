import KeychainMessages
import KeychainModel
import KeychainWire
import Secrets

/// The numbers of bytes in each direction of a call, with frame headers.
struct FrameSizes: Sendable, Equatable {
    let request: Int
    let reply: Int

    /// Returns the sizes of a find with data, as a program sends it and a daemon answers.
    static func find() throws -> FrameSizes {
        let item = SampleItem(number: 0)
        let value = SharedSecret(Secret(copying: [UInt8](item.secret)))
        return try FrameSizes(
            .request(.items(.copyMatching(item.query))),
            .reply(.items(.result(.data(value))), [])
        )
    }

    /// Returns the sizes of a greeting and its answer.
    static func greeting(_ profiles: Profiles) throws -> FrameSizes {
        let token = [UInt8](repeating: 0, count: SessionToken.byteCount)
        return try FrameSizes(
            .hello(ClientHello()),
            .welcome(
                DaemonWelcome(
                    version: ClientHello.currentVersion,
                    token: SessionToken(SharedSecret(Secret(copying: token))),
                    kind: .userDaemon,
                    profiles: profiles
                )
            )
        )
    }

    private init(_ request: ClientMessage, _ reply: DaemonMessage) throws {
        var buffer = WireBuffer()
        // Zeros instead of the token need as many bytes.
        try request.encode(token: nil, into: &buffer)
        self.request = FrameHeader.byteCount + buffer.byteCount
        try reply.encode(into: &buffer)
        self.reply = FrameHeader.byteCount + buffer.byteCount
    }
}

extension SampleItem {
    /// The query of `search(data: true)`, in the engine's form.
    var query: AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            Attribute.service.rawValue: .string(service),
            Attribute.account.rawValue: .string(account),
            QueryKey.returnData.rawValue: .bool(true),
        ]
    }
}
