import CallerEvidence
import KeychainDaemon
import KeychainModel
import KeychainWire
import ModelTestSupport
import Secrets
import TestSupport
import Testing

/// Events of a queue, and what the queue has done, as words.
private struct QueueScript: CustomTestStringConvertible {
    enum Step {
        case agent(UInt64, String? = nil)
        case gone(UInt64)
        case active(Set<String>)
        case ask(
            UInt64,
            AskedPrompt.Way = .agent,
            program: String = "mailer",
            Prompt.Kind = .passcode
        )
        case unwanted(UInt64)
        case answer(UInt64, from: UInt64, PromptAnswer)
        case wait(Int)
    }

    let testDescription: String
    let steps: [Step]
    let actions: [String]

    init(_ name: String, _ steps: [Step], _ actions: [String]) {
        testDescription = name
        self.steps = steps
        self.actions = actions
    }

    func run() -> [String] {
        var queue = PromptQueue()
        var now = ContinuousClock.now
        return steps.flatMap { step in
            if case .wait(let seconds) = step { now += .seconds(seconds) }
            return queue.handle(Self.event(step), at: now).map(Self.words)
        }
    }

    private static func event(_ step: Step) -> PromptEvent {
        switch step {
        case .agent(let id, let session): .agentCame(AgentID(rawValue: id), session: session)
        case .gone(let id): .agentLeft(AgentID(rawValue: id))
        case .active(let sessions): .activeSessions(sessions)
        case .ask(let id, let way, let program, let kind):
            .asked(
                AskedPrompt(
                    PromptID(rawValue: id),
                    AgentPrompt(Prompt(kind), program: program, level: .observed),
                    by: way
                )
            )
        case .unwanted(let id): .unwanted(PromptID(rawValue: id))
        case .answer(let id, let agent, let answer):
            .answered(AgentID(rawValue: agent), PromptID(rawValue: id), answer)
        case .wait: .timePassed
        }
    }

    private static func words(_ action: PromptAction) -> String {
        switch action {
        case .show(let id, _, let agent): "show \(id.rawValue) at \(agent.rawValue)"
        case .withdraw(let id, let agent): "withdraw \(id.rawValue) at \(agent.rawValue)"
        case .begin(let id): "begin \(id.rawValue)"
        case .finish(let id, let answer): "\(id.rawValue) \(word(answer))"
        case .drop(let agent, _): "drop \(agent.rawValue)"
        }
    }

    static func word(_ answer: PromptAnswer) -> String {
        switch answer {
        case .presented: "presented"
        case .typed: "typed"
        case .approved: "approved"
        case .fallback: "fallback"
        case .canceled: "canceled"
        case .interrupted: "interrupted"
        case .nothing: "nothing"
        case .impossible: "impossible"
        }
    }
}

private let typed = PromptAnswer.typed(SharedSecret(Secret(copying: Array("1234".utf8))))

private let lone: [QueueScript] = [
    QueueScript(
        "a prompt is shown, answered, and the next one shown",
        [.agent(1), .ask(7), .ask(8), .answer(7, from: 1, typed), .answer(8, from: 1, .canceled)],
        ["show 7 at 1", "begin 7", "7 typed", "show 8 at 1", "begin 8", "8 canceled"]
    ),
    QueueScript("nobody can show it", [.ask(7)], ["7 impossible"]),
    QueueScript(
        "whoever asks prompts by itself, in its turn",
        [.ask(7, .asker), .ask(8, .asker), .unwanted(7), .unwanted(8)],
        ["begin 7", "begin 8"]
    ),
    QueueScript(
        "whoever waits stops waiting",
        [.agent(1), .ask(7), .ask(8), .unwanted(8), .answer(7, from: 1, typed)],
        ["show 7 at 1", "begin 7", "7 typed"]
    ),
    QueueScript(
        "whoever sees its prompt goes away",
        [.agent(1), .ask(7), .ask(8), .unwanted(7), .answer(7, from: 1, .nothing)],
        ["show 7 at 1", "begin 7", "withdraw 7 at 1", "show 8 at 1", "begin 8"]
    ),
    QueueScript(
        "the queue is full",
        [.agent(1)] + (0...9).map { .ask($0, program: "program \($0)") },
        ["show 0 at 1", "begin 0", "9 impossible"]
    ),
    QueueScript(
        "one program fills half of the queue",
        [.agent(1)] + (0...5).map { .ask($0) } + [.ask(6, program: "browser")],
        ["show 0 at 1", "begin 0", "5 impossible"]
    ),
]

private let hostile: [QueueScript] = [
    QueueScript(
        "the agent answers for a finger",
        [.agent(1), .ask(7, .agent, program: "mailer", .biometry(.touchID))]
            + [.answer(7, from: 1, .presented([1]))],
        ["show 7 at 1", "begin 7", "drop 1", "7 impossible"]
    ),
    QueueScript(
        "the agent answers for a paired device",
        [.agent(1), .ask(7), .answer(7, from: 1, .approved)],
        ["show 7 at 1", "begin 7", "drop 1", "7 impossible"]
    ),
    QueueScript(
        "the agent types where nothing is typed",
        [.agent(1), .ask(7, .agent, program: "mailer", .biometry(.touchID))]
            + [.answer(7, from: 1, typed)],
        ["show 7 at 1", "begin 7", "drop 1", "7 impossible"]
    ),
    QueueScript(
        "the agent answers another prompt, and this one twice",
        [.agent(1), .ask(7), .answer(9, from: 1, typed), .answer(7, from: 1, typed)]
            + [.answer(7, from: 1, .canceled)],
        ["show 7 at 1", "begin 7", "7 typed"]
    ),
    QueueScript(
        "the agent answers a prompt that waits",
        [.agent(1), .ask(7), .ask(8), .answer(8, from: 1, typed)],
        ["show 7 at 1", "begin 7"]
    ),
    QueueScript(
        "another agent answers",
        [.agent(1), .agent(2), .ask(7), .answer(7, from: 2, typed)],
        ["show 7 at 1", "begin 7"]
    ),
    QueueScript(
        "the agent hangs, and does not take the prompt away",
        [.agent(1), .ask(7), .wait(119), .wait(1), .ask(8), .wait(4), .wait(1)],
        ["show 7 at 1", "begin 7", "7 nothing", "withdraw 7 at 1", "drop 1", "8 impossible"]
    ),
    QueueScript(
        "the agent hangs, but takes the prompt away",
        [.agent(1), .ask(7), .wait(120), .answer(7, from: 1, typed), .ask(8)],
        ["show 7 at 1", "begin 7", "7 nothing", "withdraw 7 at 1", "show 8 at 1", "begin 8"]
    ),
    QueueScript(
        "the agent dies with a prompt, and nobody else is there",
        [.agent(1), .ask(7), .ask(8), .gone(1)],
        ["show 7 at 1", "begin 7", "7 impossible", "8 impossible"]
    ),
    QueueScript(
        "whoever prompts by itself takes too long",
        [.ask(7, .asker), .ask(8, .asker), .wait(120)],
        ["begin 7", "7 nothing", "begin 8"]
    ),
    QueueScript(
        "agents come in a storm",
        (1...9).map { .agent($0) },
        ["drop 9"]
    ),
]

private let several: [QueueScript] = [
    QueueScript(
        "the agent of the session in front shows it",
        [.agent(1, "c1"), .agent(2, "c2"), .active(["c1"]), .ask(7)],
        ["show 7 at 1", "begin 7"]
    ),
    QueueScript(
        "without a session in front, the latest of a session does",
        [.agent(1, "c1"), .agent(2, "c2"), .agent(3), .ask(7)],
        ["show 7 at 2", "begin 7"]
    ),
    QueueScript(
        "without sessions, the first does until it is gone",
        [.agent(1), .agent(2), .ask(7), .answer(7, from: 1, typed), .gone(1), .ask(8)],
        ["show 7 at 1", "begin 7", "7 typed", "show 8 at 2", "begin 8"]
    ),
    QueueScript(
        "the next one takes over what a dead one showed",
        [.agent(1), .agent(2), .ask(7), .wait(60), .gone(1), .wait(60)],
        ["show 7 at 1", "begin 7", "show 7 at 2", "7 nothing", "withdraw 7 at 2"]
    ),
    QueueScript(
        "the next one takes over what a liar showed",
        [.agent(1), .agent(2), .ask(7), .answer(7, from: 1, .approved)],
        ["show 7 at 1", "begin 7", "drop 1", "show 7 at 2"]
    ),
]

@Suite struct `The prompts of an account` {
    @Test(.requirement("DMN-09"), arguments: lone)
    fileprivate func `are shown one at a time and bounded`(_ script: QueueScript) {
        #expect(script.run() == script.actions)
    }

    @Test(.requirement("DMN-09"), arguments: hostile)
    fileprivate func `hold against agents and clients`(_ script: QueueScript) {
        #expect(script.run() == script.actions)
    }

    @Test(.requirement("DMN-09"), arguments: several)
    fileprivate func `are shown by one of several agents`(_ script: QueueScript) {
        #expect(script.run() == script.actions)
    }
}
