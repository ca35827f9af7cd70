import CallerEvidence
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSockets
import KeychainWire
import ProcessWitness
import ScenarioRunner
import Synchronization

/// Evidence that consists only of a program's account, because a simulated device protects nothing.
struct PeerEvidence: EvidenceSource {
    var clientGroup: UInt32? { nil }

    func evidence(of peer: PeerIdentity, process: Int32) throws(EvidenceError) -> Evidence {
        Evidence(userID: peer.userID, processID: peer.processID)
    }
}

/// A served device for the programs and commands of one account.
struct SimulationService: SessionService {
    private let served: ServedDevice
    private let account: UInt32

    init(_ served: ServedDevice, account: UInt32) {
        self.served = served
        self.account = account
    }

    func begin(
        _ evidence: Evidence,
        answersPrompts: Bool
    ) throws(KeychainError) -> any ProgramSession {
        guard evidence.userID == account || evidence.userID == 0 else {
            let reason = "the simulated device \(served.name) serves only its own account"
            throw KeychainError(.notAvailable, reason)
        }
        return SimulatedProgram(served)
    }

    func noteRefusal(_ error: KeychainError, of peer: String, account: UInt32) {}
}

/// A program or command with a connection to a served device.
final class SimulatedProgram: ProgramSession {
    private struct State {
        var program: ServedDevice.Program?
        /// The contexts for which the program has given a proof.
        var contexts: Set<SessionID> = []
    }

    private static let contextLimit = 4096

    private let served: ServedDevice
    private let state = Mutex(State())

    init(_ served: ServedDevice) { self.served = served }

    var kind: EndpointDescription.Kind { .simulated }

    var profiles: Profiles {
        Profiles(system: served.device.system, behavior: served.device.behavior)
    }

    func call(_ request: Request) throws(KeychainError) -> any ProgramCall {
        switch request {
        case .device(.setPasscode), .device(.removePasscode):
            let command = "keychainctl simulate \(served.name) set-passcode or remove-passcode"
            throw KeychainError(.unimplemented, "an app cannot change the passcode: use \(command)")
        default: break
        }
        let program = try state.withLock { state throws(KeychainError) in
            guard let program = state.program else {
                throw KeychainError(.missingEntitlement, "the program did not say which app it is")
            }
            if case .authenticate(.evaluate(_, let context)) = request {
                guard state.contexts.count < Self.contextLimit else {
                    throw KeychainError(.notAvailable, "the program has too many contexts")
                }
                state.contexts.insert(context.session)
            }
            return program
        }
        return SimulatedCall(served, program, request)
    }

    func answer(_ request: DaemonRequest) throws(KeychainError) -> DaemonReply {
        guard case .simulate(let words) = request else {
            let reason = "this is a simulated device: it has neither grants nor a log"
            throw KeychainError(.unimplemented, reason)
        }
        if DeclaredIdentity.isMeant(by: words) {
            let program = served.launch(try DeclaredIdentity(words: words))
            state.withLock { $0.program = program }
            return .done
        }
        let command = try DeviceCommand(words)
        let text = try served.perform(command)
        // The main thread waits for this signal; the reply is still sent.
        if case .stop = command { kill(getpid(), SIGTERM) }
        return .simulated(text)
    }

    func becomeAgent(
        _ connection: any AgentConnection
    ) throws(KeychainError) -> any AgentRegistration {
        let reason = "a simulated device has no agent: its user answers every prompt"
        throw KeychainError(.unimplemented, reason)
    }

    func end() {
        let (program, contexts) = state.withLock { ($0.program, $0.contexts) }
        guard let program else { return }
        for context in contexts {
            // If the device is gone, so are its contexts.
            _ = try? served.perform(.authenticate(.end(context)), from: program) { _ in }
        }
    }
}

/// One call, which the device performs at once: its simulated user answers prompts.
private final class SimulatedCall: ProgramCall {
    private let served: ServedDevice
    private let program: ServedDevice.Program
    private let request: Request
    private let findings = Collection()

    /// A collection of findings, which any thread may add.
    private final class Collection: Sendable {
        private let list = Mutex<[Finding]>([])

        func add(_ finding: Finding) { list.withLock { $0.append(finding) } }
        var all: [Finding] { list.withLock { $0 } }
    }

    init(_ served: ServedDevice, _ program: ServedDevice.Program, _ request: Request) {
        self.served = served
        self.program = program
        self.request = request
    }

    func proceed(_ answer: PromptAnswer?) throws(KeychainError) -> CallStep {
        let findings = findings
        return .reply(
            try served.perform(request, from: program) { findings.add($0) }
        )
    }

    func ask(_ challenge: Challenge, _ asker: any ProgramAsker) -> PromptAnswer { .impossible }

    func finish(_ error: KeychainError?) -> [Finding] { findings.all }
}
