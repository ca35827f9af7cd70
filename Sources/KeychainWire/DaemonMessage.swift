import CallerEvidence
import KeychainMessages
import KeychainModel

/// What a daemon sends.
///
/// - Source: Documentation/Spec/wire.md §5.
package enum DaemonMessage: Sendable {
    /// Answers a hello.
    case welcome(DaemonWelcome)
    /// Ends a call that did what was asked.
    case reply(Reply, [Finding])
    /// Ends a call that failed.
    case failure(KeychainError, [Finding])
    /// The call goes on when the client has answered.
    case challenge(Challenge)
    /// Answers a request about the daemon itself.
    case daemon(DaemonReply)
    /// To an agent: show this.
    case prompt(PromptID, AgentPrompt)
    /// To an agent: nobody wants the answer any more.
    case withdraw(PromptID)
    /// The connection ends here, and why.
    case refusal(KeychainError)
}

/// What a daemon says of itself.
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

/// A prompt, and the program that caused it as the daemon sees it.
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
