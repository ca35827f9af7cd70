import CallerEvidence
import KeychainMessages
import KeychainModel

/// A message of a daemon.
///
/// - Source: Documentation/Spec/wire.md §5.
package enum DaemonMessage: Sendable {
    /// Answers a hello.
    case welcome(DaemonWelcome)
    /// Ends a call that succeeded.
    case reply(Reply, [Finding])
    /// Ends a call that failed.
    case failure(KeychainError, [Finding])
    /// Asks the client for an answer; the call continues with it.
    case challenge(Challenge)
    /// Answers a request about the daemon itself.
    case daemon(DaemonReply)
    /// Asks an agent to show a prompt.
    case prompt(PromptID, AgentPrompt)
    /// Tells an agent that the answer is no longer needed.
    case withdraw(PromptID)
    /// Ends the connection, with the reason.
    case refusal(KeychainError)
}

/// The daemon's description of itself.
package struct DaemonWelcome: Sendable {
    package var version: UInt16
    package var token: SessionToken
    package var kind: EndpointDescription.Kind
    /// The rules that the keychain follows.
    package var profiles: Profiles

    package init(
        version: UInt16,
        token: SessionToken,
        kind: EndpointDescription.Kind,
        profiles: Profiles
    ) {
        self.version = version
        self.token = token
        self.kind = kind
        self.profiles = profiles
    }
}

/// A prompt, and the name and level of the program that caused it, as the daemon sees it.
package struct AgentPrompt: Sendable, Hashable {
    package var prompt: Prompt
    /// The program's name by evidence, such as `/usr/bin/mailer`.
    package var program: String
    package var level: EvidenceLevel

    package init(_ prompt: Prompt, program: String, level: EvidenceLevel) {
        self.prompt = prompt
        self.program = program
        self.level = level
    }
}
