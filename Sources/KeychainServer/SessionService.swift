import CallerEvidence
import KeychainMessages
import KeychainModel
import KeychainWire

/// What a server serves: a daemon's keychains, or a simulated device.
package protocol SessionService: Sendable {
    /// Begins a session for a program.
    ///
    /// - Parameters:
    ///   - evidence: What the kernel says of the program.
    ///   - answersPrompts: Whether the program shows prompts for what is typed.
    /// - Returns: The session.
    /// - Throws: why the program is not served; it is told so.
    func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession

    /// Hears of whoever was refused.
    ///
    /// - Parameters:
    ///   - error: Why it was refused.
    ///   - peer: The program, in words.
    ///   - account: The account that it runs as.
    func noteRefusal(_ error: KeychainError, of peer: String, account: UInt32)

    /// Nothing was sent for a while: memory that only makes calls faster can go.
    func rest()
}

extension SessionService {
    package func rest() {}
}

/// One program, for as long as it is connected; used by several threads at a time.
package protocol ProgramSession: AnyObject, Sendable {
    /// What the program is told of the service.
    var kind: EndpointDescription.Kind { get }
    var profiles: Profiles { get }

    /// Begins a call; nothing of it is done yet.
    func call(_ request: Request) throws(KeychainError) -> any ProgramCall

    /// Answers what the program asks about the service itself.
    func answer(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply

    /// Has the program show the prompts of its account from now on.
    ///
    /// - Throws: why this program may not.
    func becomeAgent(
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration

    /// The last connection of the program has ended: whatever it left behind ends.
    func end()
}

/// A call under way; used by one thread.
package protocol ProgramCall: AnyObject {
    /// Begins, or goes on with the answer to the challenge.
    func proceed(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep

    /// Asks whoever has to be asked.
    ///
    /// - Parameters:
    ///   - challenge: What has to be proven.
    ///   - asker: The program's connection.
    /// - Returns: What came of it.
    func ask(_ challenge: Challenge, _ asker: any ProgramAsker) -> PromptAnswer

    /// Takes what was noticed; the call is over, with this error if it failed.
    func finish(_ error: KeychainError?) -> [Finding]
}

/// The program that waits for a call, as far as prompts go.
package protocol ProgramAsker: Sendable {
    /// Whether the program is still there, and its answer is waited for.
    var isThere: Bool { get }

    /// Has the program show a prompt itself; nil if it did not offer that.
    ///
    /// - Returns: The answer, whatever it is; `.impossible` if the program is gone.
    func answer(
        _ challenge: Challenge,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer?
}

/// An agent's end of its connection.
package protocol AgentConnection: AnyObject, Sendable {
    /// Sends a message; may wait.
    ///
    /// - Returns: Whether it went; false once the connection is gone.
    func deliver(_ message: DaemonMessage) -> Bool

    /// Ends the connection.
    func end()
}

/// The service's end of an agent's connection.
package protocol AgentRegistration: Sendable {
    /// The agent has answered a prompt.
    func answered(_ prompt: PromptID, _ answer: PromptAnswer)

    /// The connection is gone.
    func left()
}
