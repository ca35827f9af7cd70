import CallerEvidence
import KeychainModel
import KeychainPrompts
import KeychainWire
import LoginEvents
import Synchronization

// Laws  (1) `PromptQueue` makes all decisions; this class carries them out.
//       (2) Nothing blocks while the lock is held: messages to agents go through outboxes.

/// The broker of one account's prompts: one at a time, by its agent or the calling program.
package final class PromptBroker: Sendable {
    private struct State {
        var queue = PromptQueue()
        var waiters: [PromptID: PromptWaiter] = [:]
        var agents: [AgentID: AgentOutbox] = [:]
        var count: UInt64 = 0

        mutating func nextNumber() -> UInt64 {
            count += 1
            return count
        }
    }

    private let state = Mutex(State())
    private let companions: CompanionPrograms
    /// The fingerprint reader of this machine, for the account's fingers; nil if there is none.
    let reader: FingerprintReader?
    private let activeSessions: @Sendable () -> Set<String>
    private let warn: @Sendable (String) -> Void

    /// Creates a broker without an agent.
    ///
    /// - Parameters:
    ///   - companions: Recognizes the agent.
    ///   - reader: The fingerprint reader, for this account.
    ///   - activeSessions: Returns logind's sessions in the foreground; must not block.
    ///   - warn: Receives a sentence for the daemon's log.
    package init(
        companions: CompanionPrograms,
        reader: FingerprintReader? = nil,
        activeSessions: @escaping @Sendable () -> Set<String> = { [] },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.companions = companions
        self.reader = reader
        self.activeSessions = activeSessions
        self.warn = warn
    }

    /// Returns a prompter for the calls of one program.
    ///
    /// - Parameters:
    ///   - caller: The program, as the prompt names it.
    ///   - client: Shows prompts in the program itself; nil if it cannot.
    ///   - isAlive: Whether the program still waits; called often.
    /// - Returns: The prompter.
    package func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)? = nil,
        isAlive: @escaping @Sendable () -> Bool = { true }
    ) -> any Prompter {
        BrokeredPrompter(broker: self, caller: caller, client: client, isAlive: isAlive)
    }
}

/// A program that shows its own prompts: the command, with a terminal.
package protocol ClientPrompting: Sendable {
    /// Sends the prompt as a challenge and waits for the answer.
    ///
    /// - Returns: The client's answer, unchecked; `.impossible` if the connection is gone.
    func answer(_ prompt: Prompt, while isWanted: @escaping @Sendable () -> Bool) -> PromptAnswer
}

// Agents.
extension PromptBroker {
    /// Whether an agent could show a prompt.
    package var hasAgent: Bool { state.withLock { $0.queue.hasAgent } }

    /// Registers a connection as an agent of the account.
    ///
    /// - Parameters:
    ///   - caller: The program on the other side.
    ///   - deliver: Sends a message to it, and may block; returns false if it is gone.
    ///   - end: Ends the connection. It may be called after `agentLeft`.
    /// - Returns: The agent's ID for `agentAnswered` and `agentLeft`.
    /// - Throws: `errSecMissingEntitlement` for a program that may not show prompts.
    package func register(
        _ caller: JudgedCaller,
        deliver: @escaping @Sendable (DaemonMessage) -> Bool,
        end: @escaping @Sendable () -> Void
    ) throws(KeychainError) -> AgentID {
        try companions.require(caller, as: .agent)
        guard let outbox = AgentOutbox(deliver: deliver, end: end) else {
            throw KeychainError(.notAvailable, "the daemon has no descriptors or threads left")
        }
        let process = caller.evidence.processID
        let session =
            LoginSessionOfProcess.session(process) ?? LoginLookup.session(ofProcess: process)
        return state.withLock { state in
            let id = AgentID(rawValue: state.nextNumber())
            state.agents[id] = outbox
            // This comes before any prompt, and tells the program that it is registered.
            outbox.send(.daemon(.done))
            perform(.agentCame(id, session: session), &state)
            return id
        }
    }

    /// Takes an agent's answer.
    package func agentAnswered(_ agent: AgentID, _ id: PromptID, _ answer: PromptAnswer) {
        state.withLock { perform(.answered(agent, id, answer), &$0) }
    }

    /// Removes an agent whose connection is gone.
    package func agentLeft(_ agent: AgentID) {
        state.withLock { state in
            perform(.agentLeft(agent), &state)
            state.agents.removeValue(forKey: agent)?.close()
        }
    }
}

// Prompts.
extension PromptBroker {
    /// Waits for a prompt's answer, or until it is no longer needed.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - way: The program that shows it.
    ///   - isWanted: Whether the answer is still needed.
    ///   - turn: Called once, when the prompt's turn has come. An answer ends the prompt; nil
    ///     leaves it to the agent. The closure in its argument returns false once the prompt has
    ///     ended.
    /// - Returns: The answer.
    func ask(
        _ prompt: AgentPrompt,
        by way: AskedPrompt.Way,
        while isWanted: @escaping @Sendable () -> Bool,
        turn: (@escaping @Sendable () -> Bool) -> PromptAnswer?
    ) -> PromptAnswer {
        guard let waiter = PromptWaiter() else { return .impossible }
        let id = enter(prompt, way, waiter)
        defer { leave(id) }
        while waiter.answer == nil, !waiter.hasBegun {
            guard isWanted() else { return .nothing }
            waiter.wait()
            lookAtClock()
        }
        if waiter.answer == nil {
            let isOpen = { @Sendable [self] in
                lookAtClock()
                return waiter.answer == nil && isWanted()
            }
            if let own = turn(isOpen) { return waiter.answer ?? own }
        }
        while waiter.answer == nil {
            guard isWanted() else { return .nothing }
            waiter.wait()
            lookAtClock()
        }
        return waiter.answer ?? .nothing
    }

    private func enter(
        _ prompt: AgentPrompt,
        _ way: AskedPrompt.Way,
        _ waiter: PromptWaiter
    ) -> PromptID {
        let active = activeSessions()
        return state.withLock { state in
            let id = PromptID(rawValue: state.nextNumber())
            state.waiters[id] = waiter
            perform(.activeSessions(active), &state)
            perform(.asked(AskedPrompt(id, prompt, by: way)), &state)
            return id
        }
    }

    private func leave(_ id: PromptID) {
        state.withLock { state in
            state.waiters[id] = nil
            perform(.unwanted(id), &state)
        }
    }

    private func lookAtClock() {
        state.withLock { state in
            guard let deadline = state.queue.deadline, deadline <= .now else { return }
            perform(.timePassed, &state)
        }
    }

    private func perform(_ event: PromptEvent, _ state: inout State) {
        for action in state.queue.handle(event, at: .now) {
            switch action {
            case .show(let id, let prompt, let agent):
                state.agents[agent]?.send(.prompt(id, prompt))
            case .withdraw(let id, let agent): state.agents[agent]?.send(.withdraw(id))
            case .begin(let id): state.waiters[id]?.begin()
            case .finish(let id, let answer): state.waiters[id]?.finish(answer)
            case .drop(let agent, let reason):
                warn("dropped a prompt agent: \(reason)")
                state.agents.removeValue(forKey: agent)?.close()
            }
        }
    }
}
