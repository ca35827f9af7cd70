import KeychainMessages
import KeychainModel

/// A message of a client.
///
/// - Source: Documentation/Spec/wire.md §4.
package enum ClientMessage: Sendable {
    /// Begins or joins a session; the daemon collects evidence of the sender.
    case hello(ClientHello)
    /// Begins a call.
    case request(Request)
    /// Answers the challenge of the present call.
    case answer(PromptAnswer)
    /// A request about the daemon itself.
    case daemon(DaemonRequest)
    /// Turns the connection into one that shows prompts, which the daemon sends.
    case becomeAgent
    /// An agent's answer to a prompt.
    case promptAnswer(PromptID, PromptAnswer)
}

/// The first message of a connection.
package struct ClientHello: Sendable {
    /// The version that this library speaks.
    package static let currentVersion: UInt16 = 1

    /// The newest version of the protocol that the client speaks.
    package var version: UInt16
    /// The session to join; nil for a new one.
    ///
    /// Only the process that began a session can join it.
    package var token: SessionToken?
    /// Whether the client can show prompts for typed secrets.
    package var answersPrompts: Bool

    package init(
        version: UInt16 = currentVersion,
        token: SessionToken? = nil,
        answersPrompts: Bool = false
    ) {
        self.version = version
        self.token = token
        self.answersPrompts = answersPrompts
    }
}

/// The number of a prompt that an agent shows.
package struct PromptID: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
