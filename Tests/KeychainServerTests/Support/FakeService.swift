import CallerEvidence
import Dispatch
import Foundation
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSockets
import KeychainWire
import ProcessWitness
import Secrets
import Synchronization

/// Evidence that says no more than who it is about.
struct FakeEvidence: EvidenceSource {
    var error: EvidenceError?
    /// The group that a connection has to be made with.
    var clientGroup: UInt32?
    /// What the process executed at each look; the last one stays.
    var images = Images([])

    /// Numbers, each of which is given out once.
    final class Images: Sendable {
        private let left: Mutex<[UInt64]>

        init(_ numbers: [UInt64]) { left = Mutex(numbers) }

        func next() -> UInt64 {
            left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? 0 }
        }
    }

    func evidence(
        of peer: PeerIdentity,
        process: Int32
    ) throws(EvidenceError) -> Evidence {
        if let error { throw error }
        var evidence = Evidence(userID: peer.userID, processID: peer.processID)
        evidence.image = images.next()
        return evidence
    }
}

/// A service of which every answer is known: tests tell it what to do by requests.
///
/// | request | what happens |
/// |---|---|
/// | `device(.lock)` | it answers at once |
/// | `device(.unlock)` | a challenge; the reply says what the answer was |
/// | `authenticate(.biometryStatus)` | it waits until `release` is called |
/// | `items(.list)` | a reply of several megabytes |
final class FakeService: SessionService {
    struct Seen {
        var evidence: [Evidence] = []
        var refusals: [String] = []
        var callCount = 0
        var endedCount = 0
        var wasThere: [Bool] = []
        var promptAnswers: [PromptID] = []
        var agent: (any AgentConnection)?
        var agentLeftCount = 0
    }

    let seen = Mutex(Seen())
    let entered = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let noted = DispatchSemaphore(value: 0)
    let rested = DispatchSemaphore(value: 0)
    /// Whether a challenge waits until the program is gone, and asks nobody.
    let outlivesProgram: Bool

    init(outlivesProgram: Bool = false) { self.outlivesProgram = outlivesProgram }

    func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession {
        seen.withLock { $0.evidence.append(evidence) }
        return FakeSession(service: self)
    }

    func rest() { rested.signal() }

    func noteRefusal(_ error: KeychainError, of peer: String, account: UInt32) {
        seen.withLock { $0.refusals.append(error.reason) }
        noted.signal()
    }
}

final class FakeSession: ProgramSession {
    let service: FakeService

    init(service: FakeService) { self.service = service }

    var kind: EndpointDescription.Kind { .userDaemon }
    var profiles: Profiles { Profiles(system: .host, behavior: .documented) }

    func call(_ request: Request) throws(KeychainError) -> any ProgramCall {
        service.seen.withLock { $0.callCount += 1 }
        return FakeCall(request, service)
    }

    func answer(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        if case .simulate(let words) = request { return .simulated(words.joined(separator: " ")) }
        throw KeychainError(.unimplemented, "nothing but words")
    }

    func becomeAgent(
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        service.seen.withLock { $0.agent = connection }
        service.entered.signal()
        return FakeAgent(service: service)
    }

    func end() {
        service.seen.withLock { $0.endedCount += 1 }
        service.ended.signal()
    }
}

struct FakeAgent: AgentRegistration {
    let service: FakeService

    func answered(_ prompt: PromptID, _ answer: PromptAnswer) {
        service.seen.withLock { $0.promptAnswers.append(prompt) }
        service.entered.signal()
    }

    func left() {
        service.seen.withLock { $0.agentLeftCount += 1 }
        service.noted.signal()
    }
}

final class FakeCall: ProgramCall {
    private let request: Request
    private let service: FakeService

    init(_ request: Request, _ service: FakeService) {
        self.request = request
        self.service = service
    }

    func proceed(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep {
        switch (request, answer) {
        case (.device(.lock), _): return .reply(.device(.changed(warnings: [])))
        case (.device(.unlock), nil): return .challenge(Self.challenge)
        case (.device(.unlock), .typed(let text)?):
            let word = String(decoding: text.secret.copyBytesUnprotected(), as: UTF8.self)
            return .reply(.device(.changed(warnings: [KeychainError(.authFailed, word)])))
        case (.device(.unlock), .some): throw KeychainError(.userCanceled, "no answer")
        case (.authenticate(.biometryStatus), _):
            service.entered.signal()
            service.gate.wait()
            return .reply(.authentication(.done))
        case (.items(.list), _): return .reply(.items(.result(Self.largeResult)))
        default: throw KeychainError(.unimplemented, "no such request")
        }
    }

    static let challenge = Challenge(
        factor: .passcode,
        prompt: Prompt(.passcode, reason: "to test"),
        lockCount: 0
    )

    /// More than a socket holds for somebody who does not read.
    private static let largeResult = ItemResult.data(
        SharedSecret(Secret(copying: [UInt8](repeating: 7, count: 4 << 20)))
    )

    func ask(_ challenge: Challenge, _ asker: any ProgramAsker) -> PromptAnswer {
        if service.outlivesProgram {
            service.entered.signal()
            while asker.isThere { sched_yield() }
            service.seen.withLock { $0.wasThere.append(asker.isThere) }
            service.noted.signal()
            return .nothing
        }
        return asker.answer(challenge) { true } ?? .impossible
    }

    func finish(_ error: KeychainError?) -> [Finding] {
        [Finding(.refusal, verb: .device, item: "device", status: error?.status ?? .success)]
    }
}
