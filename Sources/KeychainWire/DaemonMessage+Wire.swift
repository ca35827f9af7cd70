import CallerEvidence
import KeychainMessages
import KeychainModel

// A daemon's message, over all of its frames: 1 byte for the kind of message, and the content.
extension DaemonMessage {
    private enum Kind: UInt8, WireKind {
        case welcome = 1
        case reply = 2
        case failure = 3
        case challenge = 4
        case daemon = 5
        case prompt = 6
        case withdraw = 7
        case refusal = 8

        static var meaning: String { "message of a daemon" }
    }

    /// Writes the message over the wiped buffer; `MessageFrames` then divides it.
    ///
    /// - Parameter buffer: The buffer; empty if this throws.
    /// - Throws: `WireError.limitExceeded` and `.invalidValue` for content that a client would
    ///   refuse.
    package func encode(into buffer: inout WireBuffer) throws(WireError) {
        buffer.begin(by: .daemon)
        buffer.put(kind: kind)
        switch self {
        case .welcome(let welcome): buffer.put(welcome)
        case .reply(let reply, let findings):
            buffer.put(reply)
            buffer.put(list: findings, WireLimit.elements)
        case .failure(let error, let findings):
            buffer.put(error)
            buffer.put(list: findings, WireLimit.elements)
        case .challenge(let challenge): buffer.put(challenge)
        case .daemon(let reply): buffer.put(reply)
        case .prompt(let prompt, let shown):
            buffer.put(prompt.rawValue)
            buffer.put(shown)
        case .withdraw(let prompt): buffer.put(prompt.rawValue)
        case .refusal(let error): buffer.put(error)
        }
        try buffer.end()
    }

    private var kind: Kind {
        switch self {
        case .welcome: .welcome
        case .reply: .reply
        case .failure: .failure
        case .challenge: .challenge
        case .daemon: .daemon
        case .prompt: .prompt
        case .withdraw: .withdraw
        case .refusal: .refusal
        }
    }

    /// Reads a whole message: the concatenated bodies of its frames.
    ///
    /// - Throws: `WireError` for bytes that `encode` does not write.
    package static func decode(
        _ message: UnsafeRawBufferPointer
    ) throws(WireError) -> DaemonMessage {
        var reader = WireReader(message, from: .daemon)
        let message = try DaemonMessage(from: &reader)
        try reader.end()
        return message
    }

    private init(from reader: inout WireReader) throws(WireError) {
        switch try reader.kind(Kind.self) {
        case .welcome: self = .welcome(try reader.take())
        case .reply:
            self = .reply(try reader.take(), try reader.takeList(WireLimit.elements))
        case .failure:
            self = .failure(try reader.take(), try reader.takeList(WireLimit.elements))
        case .challenge: self = .challenge(try reader.take())
        case .daemon: self = .daemon(try reader.take())
        case .prompt:
            self = .prompt(PromptID(rawValue: try reader.integer()), try reader.take())
        case .withdraw: self = .withdraw(PromptID(rawValue: try reader.integer()))
        case .refusal: self = .refusal(try reader.take())
        }
    }
}

extension DaemonWelcome: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(version)
        buffer.put(token)
        buffer.put(kind)
        buffer.put(profiles)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(
            version: try reader.integer(),
            token: try reader.take(),
            kind: try reader.take(),
            profiles: try reader.take()
        )
    }
}

extension AgentPrompt: WireValue {
    func write(to buffer: inout WireBuffer) {
        buffer.put(prompt)
        buffer.put(program)
        buffer.put(level)
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init(try reader.take(), program: try reader.take(), level: try reader.take())
    }
}
