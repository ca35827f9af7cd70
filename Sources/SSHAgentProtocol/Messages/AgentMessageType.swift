// ★ Table: the numbers of the agent's messages.

/// The type of a message, which is its first byte.
///
/// - Source: draft-miller-ssh-agent, "Protocol numbers".
package enum AgentMessageType: UInt8, Sendable, CaseIterable {
    case failure = 5
    case success = 6
    case requestIdentities = 11
    case identitiesAnswer = 12
    case signRequest = 13
    case signResponse = 14
    case addIdentity = 17
    case removeIdentity = 18
    case removeAllIdentities = 19
    case addSmartcardKey = 20
    case removeSmartcardKey = 21
    case lock = 22
    case unlock = 23
    case addConstrainedIdentity = 25
    case addConstrainedSmartcardKey = 26
    case extensionRequest = 27
    case extensionFailure = 28
    case extensionResponse = 29
}

/// The protocol's extensions that this agent supports.
package enum AgentExtension: String, Sendable, CaseIterable {
    case query
    case sessionBind = "session-bind@openssh.com"
}

/// The frame of a message, which begins with its size in four bytes.
package enum AgentFrame {
    /// The greatest size of a message with its type, in bytes.
    package static let byteCountLimit = 256 << 10
    package static let headerByteCount = 4

    /// Returns the size from a header; nil if no message may have it.
    package static func byteCount(header: [UInt8]) -> Int? {
        let count = header.reduce(0) { $0 << 8 | Int($1) }
        return header.count == headerByteCount && (1...byteCountLimit).contains(count)
            ? count : nil
    }

    /// Returns a message with its frame.
    package static func framing(_ message: [UInt8]) -> [UInt8] {
        SSHWriter.bytes { $0.string(message) }
    }
}
