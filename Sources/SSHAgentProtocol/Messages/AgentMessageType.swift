// ★ Table: the numbers of the agent's messages.

/// The byte in front of a message.
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

/// The extensions of the protocol that this agent knows.
package enum AgentExtension: String, Sendable, CaseIterable {
    case query
    case sessionBind = "session-bind@openssh.com"
}

/// The frame around a message: its size in four bytes.
package enum AgentFrame {
    /// The most bytes of a message, its type included.
    package static let byteCountLimit = 256 << 10
    package static let headerByteCount = 4

    /// The size that a header announces; nil for none that a message may have.
    package static func byteCount(header: [UInt8]) -> Int? {
        let count = header.reduce(0) { $0 << 8 | Int($1) }
        return header.count == headerByteCount && (1...byteCountLimit).contains(count)
            ? count : nil
    }

    /// A message in its frame.
    package static func framing(_ message: [UInt8]) -> [UInt8] {
        SSHWriter.bytes { $0.string(message) }
    }
}
