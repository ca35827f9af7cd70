import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

/// Calls outside of every app, in a process with simulated devices.
///
/// They would reach the developer's own keychain, so they are refused.
/// - Source: the public contract, in Documentation/Testing.md, "Where a call goes".
package enum StrayCalls {
    /// The most calls that are recorded; later ones are refused all the same.
    private static let limit = 1000

    private static let isPossible = Atomic(false)
    private static let isKnown = Atomic(false)
    private static let log = AdaptiveMutex<[Finding]>([])

    /// Refuses stray calls from now on, because this process has made a simulated device.
    package static func refuse() { isPossible.store(true, ordering: .releasing) }

    /// Whether a call outside of every app is refused.
    ///
    /// `KEYCHAIN_HOME` and `KEYCHAIN_SOCKET` request this machine's keychain. So does an empty
    /// `KEYCHAIN_SOCKET`, which selects the embedded keychain. `KEYCHAIN_SIM` requests a device
    /// elsewhere.
    static func areRefused(in environment: ProcessEnvironment) -> Bool {
        guard isPossible.load(ordering: .acquiring) else { return false }
        return !asksForMachine(environment)
    }

    /// Whether the environment names a keychain outside of this process's devices.
    package static func asksForMachine(_ environment: ProcessEnvironment) -> Bool {
        environment["KEYCHAIN_HOME"] != nil || environment.names("KEYCHAIN_SOCKET")
            || environment[SimulationSocket.variable] != nil
    }

    /// The refused calls so far, oldest first.
    package static var findings: [Finding] { log.withLock { $0 } }

    /// Forgets the refused calls so far.
    package static func removeFindings() { log.withLock { $0 = [] } }

    /// Records a refused call; prints the first one with any settings.
    static func note(_ finding: Finding) {
        log.withLock { if $0.count < limit { $0.append(finding) } }
        if isKnown.exchange(true, ordering: .relaxed) {
            DiagnosticOutput.note(finding)
        } else {
            DiagnosticOutput.print(finding)
        }
    }
}

/// The endpoint of a call outside of every app, which refuses it.
package struct StrayEndpoint: Endpoint {
    package init() {}

    /// The profiles for objects made outside of every app, such as an access control.
    ///
    /// They are meant for a device, and devices follow the guides by default.
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
    /// The function behind the request, and its subject.
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
