import CallerEvidence
import KeychainModel
import KeychainPrompts
import KeychainWire
import LoginEvents
import Synchronization

// Laws  (1) All decisions are made by `PromptQueue`; this is its edge.
//       (2) Nothing blocks while the lock is held: messages to agents go through outboxes.

/// Shows the prompts of one account: one at a time, by its agent or by whoever asked.
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
    /// The reader of this machine, asked about the account's fingers; nil for none.
    let reader: FingerprintReader?
    private let activeSessions: @Sendable () -> Set<String>
    private let warn: @Sendable (String) -> Void

    /// A broker without an agent.
    ///
    /// - Parameters:
    ///   - companions: Tells the agent from other programs.
    ///   - reader: The fingerprint reader, for this account.
    ///   - activeSessions: The sessions of logind in the foreground; returns at once.
    ///   - warn: Takes a sentence for the daemon's log.
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

    /// A prompter for the calls of one program.
    ///
    /// - Parameters:
    ///   - caller: The program, as the prompt names it.
    ///   - client: Prompts at the program itself; nil if it cannot.
    ///   - isAlive: Whether the program still waits; looked at all the time.
    /// - Returns: The prompter.
    package func prompter(
        for caller: JudgedCaller,
        answering client: (any ClientPrompting)? = nil,
        isAlive: @escaping @Sendable () -> Bool = { true }
    ) -> any Prompter {
        BrokeredPrompter(broker: self, caller: caller, client: client, isAlive: isAlive)
    }
}

/// A program that shows its own prompts: it has a terminal and is the command.
package protocol ClientPrompting: Sendable {
    /// Sends the prompt as a challenge and waits for the answer.
    ///
    /// - Returns: The client's answer, whatever it is; `.impossible` if the connection is gone.
    func answer(_ prompt: Prompt, while isWanted: @escaping @Sendable () -> Bool) -> PromptAnswer
}

// Agents.
extension PromptBroker {
    /// Whether somebody could be shown a prompt by an agent.
    package var hasAgent: Bool { state.withLock { $0.queue.hasAgent } }

    /// Makes a connection the account's agent, or one of them.
    ///
    /// - Parameters:
    ///   - caller: The program at the other end.
    ///   - deliver: Sends a message to it, and may block; returns false if it is gone.
    ///   - end: Ends the connection. It may be called after `agentLeft`.
    /// - Returns: What it is called in `agentAnswered` and `agentLeft`.
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
            // In front of every prompt: now the program knows that it is asked.
            outbox.send(.daemon(.done))
            perform(.agentCame(id, session: session), &state)
            return id
        }
    }

    /// Takes an answer of an agent.
    package func agentAnswered(_ agent: AgentID, _ id: PromptID, _ answer: PromptAnswer) {
        state.withLock { perform(.answered(agent, id, answer), &$0) }
    }

    /// Forgets an agent whose connection is gone.
    package func agentLeft(_ agent: AgentID) {
        state.withLock { state in
            perform(.agentLeft(agent), &state)
            state.agents.removeValue(forKey: agent)?.close()
        }
    }
}

// Prompts.
extension PromptBroker {
    /// Waits for a prompt's answer, or until nobody wants it.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - way: Who shows it.
    ///   - isWanted: Whether the answer is still wanted.
    ///   - turn: Called once, when its turn has come. An answer ends the prompt; nil leaves it to
    ///     the agent. The closure that it is handed returns false once the prompt has ended.
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
