import KeychainMessages
import KeychainModel
import Secrets

// The body of a client's frame: 1 byte for the kind of message, 16 bytes of the session's token,
// which are zero in a hello, and the content.
extension ClientMessage {
    private enum Kind: UInt8, WireKind {
        case hello = 1
        case request = 2
        case answer = 3
        case daemon = 4
        case becomeAgent = 5
        case promptAnswer = 6

        static var meaning: String { "message of a client" }
    }

    /// Writes the body of a frame over the wiped buffer.
    ///
    /// - Parameters:
    ///   - token: The session's token; nil, as in a hello, writes zeros.
    ///   - buffer: The buffer; empty if this throws.
    /// - Throws: `WireError.limitExceeded` and `.invalidValue` for content that the daemon would
    ///   refuse.
    package func encode(
        token: SessionToken?,
        into buffer: inout WireBuffer
    ) throws(WireError) {
        buffer.begin(by: .client)
        buffer.put(kind: kind)
        if let token {
            buffer.put(token)
        } else {
            buffer.put(0 as UInt64)
            buffer.put(0 as UInt64)
        }
        switch self {
        case .hello(let hello): buffer.put(hello)
        case .request(let request): buffer.put(request)
        case .answer(let answer): buffer.put(answer)
        case .daemon(let request): buffer.put(request)
        case .becomeAgent: break
        case .promptAnswer(let prompt, let answer):
            buffer.put(prompt.rawValue)
            buffer.put(answer)
        }
        try buffer.end()
    }

    private var kind: Kind {
        switch self {
        case .hello: .hello
        case .request: .request
        case .answer: .answer
        case .daemon: .daemon
        case .becomeAgent: .becomeAgent
        case .promptAnswer: .promptAnswer
        }
    }

    /// Reads the token of a body, before any other part of it.
    ///
    /// - Returns: The token, and whether the message is a hello.
    /// - Throws: `WireError` if there are too few bytes, or the kind is unknown.
    package static func token(
        of body: UnsafeRawBufferPointer
    ) throws(WireError) -> (token: ReceivedToken, isHello: Bool) {
        var reader = WireReader(body, from: .client)
        let kind = try reader.kind(Kind.self)
        let token = ReceivedToken(try reader.take(byteCount: SessionToken.byteCount))
        return (token, kind == .hello)
    }

    /// Reads the body of a frame, without checking the token.
    ///
    /// - Returns: The received token, for the caller to compare, and the message.
    /// - Throws: `WireError` for bytes that `encode` does not write.
    package static func decode(
        _ body: UnsafeRawBufferPointer
    ) throws(WireError) -> (token: ReceivedToken, message: ClientMessage) {
        var reader = WireReader(body, from: .client)
        let kind = try reader.kind(Kind.self)
        let token = ReceivedToken(try reader.take(byteCount: SessionToken.byteCount))
        let message = try ClientMessage(kind, from: &reader)
        try reader.end()
        return (token, message)
    }

    private init(_ kind: Kind, from reader: inout WireReader) throws(WireError) {
        switch kind {
        case .hello: self = .hello(try reader.take())
        case .request: self = .request(try reader.take())
        case .answer: self = .answer(try reader.take())
        case .daemon: self = .daemon(try reader.take())
        case .becomeAgent: self = .becomeAgent
        case .promptAnswer:
            self = .promptAnswer(
                PromptID(rawValue: try reader.integer()),
                try reader.take()
            )
        }
    }
}

extension ClientHello: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(version)
        buffer.put(optional: token)
        buffer.put(answersPrompts)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            version: try reader.integer(),
            token: try reader.takeOptional(),
            answersPrompts: try reader.take()
        )
    }
}
