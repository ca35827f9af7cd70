import CallerEvidence
import Foundation
import KeychainDaemon
import KeychainModel
import KeychainWire
import Secrets
import Synchronization
import TestSupport
import Testing

private let typed = PromptAnswer.typed(SharedSecret(Secret(copying: Array("1234".utf8))))

/// An agent of a test: keeps what it is sent, and answers as the test says.
private final class TestAgent: Sendable {
    private let received = Mutex<[String]>([])
    private let isEnded = Mutex(false)
    private let news = DispatchSemaphore(value: 0)
    let answer: @Sendable (PromptID) -> PromptAnswer?
    private let id = Mutex<AgentID?>(nil)

    init(answering answer: @escaping @Sendable (PromptID) -> PromptAnswer?) { self.answer = answer }

    func join(_ broker: PromptBroker) throws {
        let agent = try broker.register(
            judged("/usr/bin/keychain-agent", .verified, identifier: "keychain-agent"),
            // An agent knows the daemon by its connection alone.
            deliver: { [self, weak broker] message in
                broker.map { take(message, $0) }
                return broker != nil
            },
            end: { [self] in
                isEnded.withLock { $0 = true }
                news.signal()
            }
        )
        id.withLock { $0 = agent }
    }

    func leave(_ broker: PromptBroker) {
        if let id = id.withLock(\.self) { broker.agentLeft(id) }
    }

    /// Whether its connection ends within a minute.
    func ends() -> Bool {
        while !isEnded.withLock(\.self) {
            guard news.wait(timeout: .now() + 60) == .success else { return false }
        }
        return true
    }

    /// Waits until so many messages have come, or the connection has ended.
    func wait(for count: Int) -> [String] {
        while received.withLock(\.count) < count, !isEnded.withLock(\.self) { news.wait() }
        return received.withLock(\.self)
    }

    private func take(_ message: DaemonMessage, _ broker: PromptBroker) {
        switch message {
        case .prompt(let prompt, let shown):
            received.withLock { $0.append("prompt of \(shown.program) (\(shown.level.word))") }
            if let answer = answer(prompt), let id = id.withLock(\.self) {
                broker.agentAnswered(id, prompt, answer)
            }
        case .withdraw: received.withLock { $0.append("withdraw") }
        case .daemon(.done):
            // It comes in front of every prompt.
            if received.withLock(\.isEmpty) { return }
            received.withLock { $0.append("late") }
        default: received.withLock { $0.append("?") }
        }
        news.signal()
    }
}

private func judged(
    _ path: String,
    _ level: EvidenceLevel,
    identifier: String? = nil,
    isPresent: Bool = true,
    isTraced: Bool = false
) -> JudgedCaller {
    var evidence = Evidence(userID: 1000, processID: 0)
    evidence.isTraced = isTraced
    evidence.executable = ExecutableEvidence(
        path: path,
        device: 1,
        inode: 1,
        digest: nil,
        isRootOwned: true,
        hasClientGroup: true,
        isReplaceable: false,
        isPresent: isPresent
    )
    return JudgedCaller(
        evidence: evidence,
        level: level,
        reasons: [],
        name: path,
        entitlements: Entitlements(applicationIdentifier: identifier)
    )
}

/// A program that waits for a prompt on a thread of its own.
private final class Waiting: Sendable {
    private let answer = Mutex<PromptAnswer?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> PromptAnswer) {
        Thread.detachNewThread { [self] in
            let found = body()
            answer.withLock { $0 = found }
            done.signal()
        }
    }

    func word() -> String {
        done.wait()
        done.signal()
        return answer.withLock { "\($0 ?? .nothing)".prefix { $0.isLetter }.description }
    }
}

extension DispatchSemaphore {
    /// Waits for so many signals, and leaves them to the next who waits.
    fileprivate func passThrough(_ count: Int) {
        for _ in 0..<count { wait() }
        for _ in 0..<count { signal() }
    }
}

private struct Client: ClientPrompting {
    let reply: PromptAnswer

    func answer(_ prompt: Prompt, while isWanted: @escaping @Sendable () -> Bool) -> PromptAnswer {
        reply
    }
}

private struct Applicant: CustomTestStringConvertible {
    let testDescription: String
    let companions: CompanionPrograms
    let caller: JudgedCaller
    let isAccepted: Bool
}

private let beside = CompanionPrograms.beside("/opt/bin")
private let applicants: [Applicant] = [
    Applicant(
        testDescription: "verified, with the identifier",
        companions: .verified,
        caller: judged("/usr/bin/keychain-agent", .verified, identifier: "keychain-agent"),
        isAccepted: true
    ),
    Applicant(
        testDescription: "observed, with the identifier",
        companions: .verified,
        caller: judged("/usr/bin/keychain-agent", .observed, identifier: "keychain-agent"),
        isAccepted: false
    ),
    Applicant(
        testDescription: "verified, with the identifier of another companion",
        companions: .verified,
        caller: judged("/usr/bin/keychain-pam", .verified, identifier: "keychain-pam"),
        isAccepted: false
    ),
    Applicant(
        testDescription: "beside the daemon",
        companions: beside,
        caller: judged("/opt/bin/keychain-agent", .observed),
        isAccepted: true
    ),
    Applicant(
        testDescription: "beside the daemon, but replaced",
        companions: beside,
        caller: judged("/opt/bin/keychain-agent", .observed, isPresent: false),
        isAccepted: false
    ),
    Applicant(
        testDescription: "beside the daemon, where the account can replace both",
        companions: beside,
        caller: judged("/opt/bin/keychain-agent", .nobody),
        isAccepted: true
    ),
    Applicant(
        testDescription: "beside the daemon, but traced",
        companions: beside,
        caller: judged("/opt/bin/keychain-agent", .nobody, isTraced: true),
        isAccepted: false
    ),
    Applicant(
        testDescription: "somewhere else",
        companions: beside,
        caller: judged("/srv/ada/keychain-agent", .verified, identifier: "keychain-agent"),
        isAccepted: false
    ),
]

@Suite struct `A daemon that asks people` {
    private let passcode = Prompt(.passcode, offersFallback: false)

    @Test(.requirement("DMN-09")) func `names the program by evidence`() throws {
        let broker = PromptBroker(companions: .verified)
        let agent = TestAgent { _ in typed }
        try agent.join(broker)
        let prompter = broker.prompter(for: judged("/usr/bin/mailer", .confined))
        guard case .typed = prompter.answer(passcode) else {
            Issue.record("The agent's answer is lost.")
            return
        }
        #expect(agent.wait(for: 1) == ["prompt of /usr/bin/mailer (confined)"])
    }

    @Test(.requirement("DMN-09"), arguments: applicants)
    fileprivate func `takes as its agent`(_ row: Applicant) {
        let broker = PromptBroker(companions: row.companions)
        let error = failure {
            try broker.register(row.caller, deliver: { _ in true }, end: {})
        }
        let status = (error as? KeychainError)?.status
        #expect(status == (row.isAccepted ? nil : .missingEntitlement))
    }

    @Test(.requirement("DMN-09")) func `refuses at once where nobody can be asked`() {
        let prompter = PromptBroker(companions: .verified)
            .prompter(for: judged("/usr/bin/mailer", .observed))
        #expect("\(prompter.answer(passcode))" == "impossible")
    }

    @Test(.requirement("DMN-09"))
    func `takes a prompt away when its program has ended`() throws {
        let broker = PromptBroker(companions: .verified)
        let agent = TestAgent { _ in nil }
        try agent.join(broker)
        let isAlive = Mutex(true)
        let alive = { @Sendable in isAlive.withLock(\.self) }
        let prompter = broker.prompter(for: judged("/usr/bin/mailer", .observed), isAlive: alive)
        let waiting = Waiting { prompter.answer(Prompt(.passcode)) }
        _ = agent.wait(for: 1)
        isAlive.withLock { $0 = false }
        #expect(waiting.word() == "nothing")
        #expect(agent.wait(for: 2).last == "withdraw")
    }

    @Test(.requirement("DMN-09")) func `refuses what a dead agent showed`() throws {
        let broker = PromptBroker(companions: .verified)
        let agent = TestAgent { _ in nil }
        try agent.join(broker)
        let prompter = broker.prompter(for: judged("/usr/bin/mailer", .observed))
        let waiting = Waiting { prompter.answer(Prompt(.passcode)) }
        _ = agent.wait(for: 1)
        agent.leave(broker)
        #expect(waiting.word() == "impossible")
    }

    @Test func `lets go of an agent that left`() throws {
        let broker = PromptBroker(companions: .verified)
        let agent = TestAgent { _ in nil }
        try agent.join(broker)
        agent.leave(broker)
        #expect(agent.ends())
    }

    @Test func `takes its agents with it`() throws {
        let agent = TestAgent { _ in nil }
        do {
            let broker = PromptBroker(companions: .verified)
            try agent.join(broker)
        }
        #expect(agent.ends())
    }

    @Test(.requirement("DMN-09")) func `ends an agent that claims a finger`() throws {
        let broker = PromptBroker(companions: .verified)
        let agent = TestAgent { _ in .presented([1]) }
        try agent.join(broker)
        let prompter = broker.prompter(for: judged("/usr/bin/mailer", .observed))
        #expect("\(prompter.answer(passcode))" == "impossible")
        #expect(!broker.hasAgent)
        _ = agent.wait(for: 2)
    }

    @Test(.requirement("DMN-09"), .requirement("DMN-17"))
    func `bounds a storm of a hundred programs`() throws {
        let broker = PromptBroker(companions: .verified)
        let refused = DispatchSemaphore(value: 0)
        let agent = TestAgent { _ in
            // The first is answered once the queue has refused all that it has no place for.
            refused.passThrough(91)
            return typed
        }
        try agent.join(broker)
        let all = (0..<100).map { index in
            let prompter = broker.prompter(for: judged("/usr/bin/p\(index)", .observed))
            return Waiting {
                let answer = prompter.answer(Prompt(.passcode))
                if case .impossible = answer { refused.signal() }
                return answer
            }
        }
        let words = all.map { $0.word() }
        #expect(words.count { $0 == "typed" } == 9)
        #expect(words.count { $0 == "impossible" } == 91)
    }

    @Test(arguments: [
        (PromptAnswer.canceled, "canceled"), (.presented([1]), "nothing"), (.approved, "nothing"),
        (.impossible, "impossible"),
    ])
    func `believes a client what a client can know`(_ reply: PromptAnswer, _ word: String) {
        let prompter = PromptBroker(companions: .verified).prompter(
            for: judged("/usr/bin/keychainctl", .verified),
            answering: Client(reply: reply)
        )
        #expect("\(prompter.answer(passcode))" == word)
    }

    @Test func `asks the agent where the client cannot`() throws {
        let broker = PromptBroker(companions: .verified)
        let agent = TestAgent { _ in .canceled }
        try agent.join(broker)
        let prompter = broker.prompter(
            for: judged("/usr/bin/keychainctl", .verified),
            answering: Client(reply: .impossible)
        )
        #expect("\(prompter.answer(passcode))" == "canceled")
    }
}
