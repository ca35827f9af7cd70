import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

/// Calls of a process with simulated devices that belong to none of them.
///
/// They would reach the developer's own keychain, so they are refused.
/// - Source: the public contract, in Documentation/Testing.md, "Where a call goes".
package enum StrayCalls {
    /// What is kept of them; later ones are refused all the same.
    private static let limit = 1000

    private static let isPossible = Atomic(false)
    private static let isKnown = Atomic(false)
    private static let log = AdaptiveMutex<[Finding]>([])

    /// Refuses them from now on: this process has made a simulated device.
    package static func refuse() { isPossible.store(true, ordering: .releasing) }

    /// Whether a call that belongs to no device is refused.
    ///
    /// `KEYCHAIN_HOME` or `KEYCHAIN_SOCKET` asks for this machine's keychain. An empty socket does
    /// so too: it means the embedded keychain. `KEYCHAIN_SIM` asks for a device elsewhere.
    static func areRefused(in environment: ProcessEnvironment) -> Bool {
        guard isPossible.load(ordering: .acquiring) else { return false }
        return !asksForMachine(environment)
    }

    /// Whether the environment names this machine's keychain.
    package static func asksForMachine(_ environment: ProcessEnvironment) -> Bool {
        environment["KEYCHAIN_HOME"] != nil || environment.names("KEYCHAIN_SOCKET")
            || environment[SimulationSocket.variable] != nil
    }

    /// The refused calls so far, oldest first.
    package static var findings: [Finding] { log.withLock { $0 } }

    /// Forgets the refused calls so far.
    package static func removeFindings() { log.withLock { $0 = [] } }

    /// Takes a refused call; the first one is printed whatever the settings are.
    static func note(_ finding: Finding) {
        log.withLock { if $0.count < limit { $0.append(finding) } }
        if isKnown.exchange(true, ordering: .relaxed) {
            DiagnosticOutput.note(finding)
        } else {
            DiagnosticOutput.print(finding)
        }
    }
}

/// Where a call goes that belongs to no simulated device: nowhere.
package struct StrayEndpoint: Endpoint {
    package init() {}

    /// What is made outside of every app, such as an access control, is meant for a device, and a
    /// device follows the guides unless it is told otherwise.
    package var profiles: Profiles { Profiles(system: .host, behavior: .documented) }

    package func send(_ request: Request) throws(KeychainError) -> Reply {
        // A context may end anywhere, and nothing was proven here.
        if case .authenticate(.end) = request { return .authentication(.done) }
        let (verb, item) = request.facts
        StrayCalls.note(Finding(.strayCall, verb: verb, item: item, status: .notAvailable))
        throw KeychainError(.notAvailable, DiagnosticRule.strayCall.sentence)
    }

    package func note(_ finding: Finding) { DiagnosticOutput.note(finding) }
}

extension Request {
    /// The function behind the request, and what it is about.
    fileprivate var facts: (Finding.Verb, item: String) {
        switch self {
        case .items(let request): request.facts
        case .elementKey(.make(let dictionary, _, _)): (.add, dictionary.itemName)
        case .elementKey(.check), .elementKey(.use): (.key, ItemClass.key.rawValue)
        case .authenticate: (.context, "policy")
        case .device, .maintenance, .synchronization: (.device, "device")
        case .fileKeys: (.device, "file")
        }
    }
}

extension ItemRequest {
    fileprivate var facts: (Finding.Verb, item: String) {
        switch self {
        case .add(let dictionary): (.add, dictionary.itemName)
        case .addAll(let dictionaries, _): (.add, (dictionaries.first ?? [:]).itemName)
        case .copyMatching(let dictionary), .list(let dictionary):
            (.copyMatching, dictionary.itemName)
        case .update(let dictionary, _), .replaceAccessControl(let dictionary, _, _):
            (.update, dictionary.itemName)
        case .delete(let dictionary): (.delete, dictionary.itemName)
        }
    }
}
