import KeychainMessages
import KeychainModel
import Secrets

/// What a client sends.
///
/// - Source: Documentation/Spec/wire.md §4.
package enum ClientMessage: Sendable {
    /// Begins or joins a session; the daemon takes evidence of whoever sends it.
    case hello(ClientHello)
    /// Begins a call.
    case request(Request)
    /// Answers the challenge of the call under way.
    case answer(PromptAnswer)
    /// Asks the daemon itself.
    case daemon(DaemonRequest)
    /// From now on the connection shows prompts: the daemon sends them.
    case becomeAgent
    /// An agent's answer to a prompt.
    case promptAnswer(PromptID, PromptAnswer)
}

/// The first message of a connection.
package struct ClientHello: Sendable {
    /// The newest version of the protocol that the client speaks.
    package var version: UInt16
    /// The session to join; nil for a new one. Only the process that began a session can join it.
    package var token: SessionToken?
    /// Whether the client can show prompts for what is typed.
    package var answersPrompts: Bool

    package init(version: UInt16 = 1, token: SessionToken? = nil, answersPrompts: Bool = false) {
        self.version = version
        self.token = token
        self.answersPrompts = answersPrompts
    }
}

/// What a client proves with every message that it is the program that said hello: 16 random bytes
/// that the daemon sent after it had taken evidence.
///
/// A program that takes the process over by `exec` has lost them with the memory.
package struct SessionToken: Sendable {
    package static let byteCount = 16
    package let secret: SharedSecret

    package init(_ secret: SharedSecret) { self.secret = secret }
}

/// A number that names a prompt to an agent.
package struct PromptID: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
