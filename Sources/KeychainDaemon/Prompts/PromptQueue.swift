import KeychainModel
import KeychainWire

// Definitions  "asked": a call waits for an answer; "shown": an agent has the prompt, or its
//              client shows it; "leaving": the answer is no longer needed, but the agent has not
//              closed the prompt yet.
// Invariants   (1) At most one prompt of an account is shown or leaving.
//              (2) Each call gets one answer, unless it stops waiting first.
//              (3) An agent answers each prompt that it received once, even one that it had to
//                  close; an answer to another prompt changes nothing.
//              (4) An answer that an agent may not give ends the agent and answers nothing.
//              (5) No prompt is shown for longer than `patience`.
// States       of the one place where a prompt is shown
//
//     free ──next in the queue──▸ shown ──answer, own turn over──▸ free
//                                   │ no longer needed, patience over
//                                   ▾
//                                 leaving ──answer, agent gone──▸ free
//                                   └ farewell over: the agent is dropped ──▸ free

/// An event that concerns the prompts of an account.
package enum PromptEvent: Sendable {
    /// A program became an agent of the account, in this session of logind, if any.
    case agentCame(AgentID, session: String?)
    case agentLeft(AgentID)
    /// These sessions are in the foreground now.
    case activeSessions(Set<String>)
    case asked(AskedPrompt)
    /// The call stopped waiting, or has shown its prompt itself and is done.
    case unwanted(PromptID)
    case answered(AgentID, PromptID, PromptAnswer)
    case timePassed
}

/// An action after an event; actions are carried out in order.
package enum PromptAction: Sendable {
    case show(PromptID, AgentPrompt, AgentID)
    case withdraw(PromptID, AgentID)
    /// Tell the call that its turn has come.
    case begin(PromptID)
    case finish(PromptID, PromptAnswer)
    /// End the agent's connection, for this reason.
    case drop(AgentID, String)
}

/// A prompt of a call, with the way to show it.
package struct AskedPrompt: Sendable, Hashable {
    /// The program that shows a prompt.
    package enum Way: Sendable, Hashable {
        /// The account's agent.
        case agent
        /// The calling program, when its turn has come.
        case asker
    }

    package let id: PromptID
    package let prompt: AgentPrompt
    package let way: Way

    package init(_ id: PromptID, _ prompt: AgentPrompt, by way: Way) {
        self.id = id
        self.prompt = prompt
        self.way = way
    }
}

/// An agent's ID among the prompts of its account.
package struct AgentID: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The prompts of one account: a pure state machine, with the time as an argument.
package struct PromptQueue: Sendable {
    /// The most prompts that wait for the shown one.
    package static let waitingLimit = 8
    /// The most waiting prompts of one program, so that it cannot keep out others.
    package static let programLimit = 4
    package static let agentLimit = 8
    /// The time for which a prompt is shown.
    package static let patience = Duration.seconds(120)
    /// The time in which an agent has to close a prompt.
    package static let farewell = Duration.seconds(5)

    private struct Agent {
        let id: AgentID
        let session: String?
    }

    private enum Place {
        case free
        case shown(AskedPrompt, AgentID?, until: ContinuousClock.Instant)
        case leaving(PromptID, AgentID, until: ContinuousClock.Instant)
    }

    private var place = Place.free
    private var waiting: [AskedPrompt] = []
    /// The agents, in the order of their arrival.
    private var agents: [Agent] = []
    private var activeSessions: Set<String> = []

    package init() {}

    /// Whether an agent could show a prompt now.
    package var hasAgent: Bool { !agents.isEmpty }

    /// The time for the next `timePassed`; nil while nothing is shown.
    package var deadline: ContinuousClock.Instant? {
        switch place {
        case .free: nil
        case .shown(_, _, let end), .leaving(_, _, let end): end
        }
    }

    /// Handles an event, and returns the actions.
    package mutating func handle(
        _ event: PromptEvent,
        at now: ContinuousClock.Instant
    ) -> [PromptAction] {
        var actions: [PromptAction]
        switch event {
        case .agentCame(let id, let session): actions = admit(id, session)
        case .agentLeft(let id): actions = remove(id)
        case .activeSessions(let sessions):
            activeSessions = sessions
            actions = []
        case .asked(let prompt): actions = take(prompt)
        case .unwanted(let id): actions = withdraw(id, at: now)
        case .answered(let agent, let id, let answer): actions = take(answer, to: id, from: agent)
        case .timePassed: actions = lookAtClock(now)
        }
        while let more = showNext(at: now) { actions += more }
        return actions
    }
}

// Agents.
extension PromptQueue {
    private mutating func admit(_ id: AgentID, _ session: String?) -> [PromptAction] {
        guard agents.count < Self.agentLimit else {
            return [.drop(id, "the account has \(Self.agentLimit) agents already")]
        }
        agents.append(Agent(id: id, session: session))
        return []
    }

    private mutating func remove(_ id: AgentID) -> [PromptAction] {
        agents.removeAll { $0.id == id }
        switch place {
        case .shown(let asked, id, let end):
            guard let next = preferredAgent else {
                place = .free
                return [.finish(asked.id, .impossible)] + refuseWaiting()
            }
            // The next agent gets the remaining time.
            place = .shown(asked, next, until: end)
            return [.show(asked.id, asked.prompt, next)]
        case .leaving(_, id, _):
            place = .free
            return agents.isEmpty ? refuseWaiting() : []
        case .free, .shown, .leaving:
            return agents.isEmpty ? refuseWaiting() : []
        }
    }

    /// Refuses the waiting prompts, because no agent is left to show them.
    private mutating func refuseWaiting() -> [PromptAction] {
        let lost = waiting.filter { $0.way == .agent }
        waiting.removeAll { $0.way == .agent }
        return lost.map { .finish($0.id, .impossible) }
    }

    /// The agent that shows the next prompt.
    ///
    /// It is the latest one of a session in the foreground, or else the latest one of any session,
    /// or else the earliest. So an agent without a session of logind replaces another one only when
    /// that is gone.
    private var preferredAgent: AgentID? {
        let active = agents.last { $0.session.map(activeSessions.contains) ?? false }
        return (active ?? agents.last { $0.session != nil } ?? agents.first)?.id
    }
}

// Prompts.
extension PromptQueue {
    private mutating func take(_ asked: AskedPrompt) -> [PromptAction] {
        let ofProgram = waiting.count { $0.prompt.program == asked.prompt.program }
        guard waiting.count < Self.waitingLimit, ofProgram < Self.programLimit,
            asked.way == .asker || hasAgent
        else { return [.finish(asked.id, .impossible)] }
        waiting.append(asked)
        return []
    }

    private mutating func showNext(at now: ContinuousClock.Instant) -> [PromptAction]? {
        guard case .free = place, !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        let end = now + Self.patience
        switch next.way {
        case .asker:
            place = .shown(next, nil, until: end)
            return [.begin(next.id)]
        case .agent:
            guard let agent = preferredAgent else { return [.finish(next.id, .impossible)] }
            place = .shown(next, agent, until: end)
            return [.show(next.id, next.prompt, agent), .begin(next.id)]
        }
    }

    private mutating func withdraw(
        _ id: PromptID,
        at now: ContinuousClock.Instant
    ) -> [PromptAction] {
        waiting.removeAll { $0.id == id }
        guard case .shown(let asked, let agent, _) = place, asked.id == id else { return [] }
        return leave(id, agent, at: now)
    }

    private mutating func leave(
        _ id: PromptID,
        _ agent: AgentID?,
        at now: ContinuousClock.Instant
    ) -> [PromptAction] {
        guard let agent else {
            place = .free
            return []
        }
        place = .leaving(id, agent, until: now + Self.farewell)
        return [.withdraw(id, agent)]
    }

    private mutating func take(
        _ answer: PromptAnswer,
        to id: PromptID,
        from agent: AgentID
    ) -> [PromptAction] {
        switch place {
        case .shown(let asked, agent, _) where asked.id == id:
            guard let allowed = AgentAnswer.allowed(answer, to: asked.prompt.prompt) else {
                let reason = "the agent answered what no agent can know"
                return [.drop(agent, reason)] + remove(agent)
            }
            place = .free
            return [.finish(id, allowed)]
        case .leaving(id, agent, _):
            place = .free
            return []
        case .free, .shown, .leaving: return []
        }
    }

    private mutating func lookAtClock(_ now: ContinuousClock.Instant) -> [PromptAction] {
        switch place {
        case .shown(let asked, let agent, let end) where end <= now:
            return [.finish(asked.id, .nothing)] + leave(asked.id, agent, at: now)
        case .leaving(_, let agent, let end) where end <= now:
            return [.drop(agent, "the agent did not take a prompt away")] + remove(agent)
        case .free, .shown, .leaving: return []
        }
    }
}
