import CallerEvidence
import KeychainMessages
import KeychainModel
import KeychainWire

/// The service behind a server: a daemon's keychains, or a simulated device.
package protocol SessionService: Sendable {
    /// Begins a session for a program.
    ///
    /// - Parameters:
    ///   - evidence: The kernel's facts about the program.
    ///   - answersPrompts: Whether the program shows prompts for typed answers.
    /// - Returns: The session.
    /// - Throws: The reason why the program is not served, which is sent to it.
    func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession

    /// Records a refusal.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - peer: The refused program or account, in words.
    ///   - account: The account of the program.
    func noteRefusal(_ error: KeychainError, of peer: String, account: UInt32)

    /// Releases memory that only makes calls faster, because nothing was sent for a while.
    func rest()
}

extension SessionService {
    package func rest() {}
}

/// One program, as long as it is connected; several threads use it at a time.
package protocol ProgramSession: AnyObject, Sendable {
    /// The kind of service, as the program receives it.
    var kind: EndpointDescription.Kind { get }
    var profiles: Profiles { get }

    /// Creates a call, without beginning it.
    func call(_ request: Request) throws(KeychainError) -> any ProgramCall

    /// Answers a request about the service itself.
    func answer(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply

    /// Makes the program show the prompts of its account from now on.
    ///
    /// - Throws: The reason why this program may not.
    func becomeAgent(
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration

    /// Ends everything that the program left behind, because its last connection has ended.
    func end()
}

/// A call in progress; one thread uses it.
package protocol ProgramCall: AnyObject {
    /// Begins the call, or continues it with the answer to the challenge.
    func proceed(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep

    /// Shows a prompt for a challenge.
    ///
    /// - Parameters:
    ///   - challenge: The required proof.
    ///   - asker: The program's connection.
    /// - Returns: The answer.
    func ask(_ challenge: Challenge, _ asker: any ProgramAsker) -> PromptAnswer

    /// Returns the findings of the completed call, which failed with `error` if that is set.
    func finish(_ error: KeychainError?) -> [Finding]
}

/// The program that waits for a call, as far as prompts need it.
package protocol ProgramAsker: Sendable {
    /// Whether the program is still there, and waits for the reply.
    var isThere: Bool { get }

    /// Makes the program show a prompt itself; returns nil if it did not offer that.
    ///
    /// - Returns: The answer; `.impossible` if the program is gone.
    func answer(
        _ challenge: Challenge,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer?
}

/// The connection of an agent, as the service uses it.
package protocol AgentConnection: AnyObject, Sendable {
    /// Sends a message; may block.
    ///
    /// - Returns: Whether it was sent; false once the connection is gone.
    func deliver(_ message: DaemonMessage) -> Bool

    /// Ends the connection.
    func end()
}

/// The registration of an agent, as its connection uses it.
package protocol AgentRegistration: Sendable {
    /// Delivers the agent's answer to a prompt.
    func answered(_ prompt: PromptID, _ answer: PromptAnswer)

    /// Ends the registration, because the connection is gone.
    func left()
}
