import CallerEvidence
import Foundation
import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSimulator
import KeychainSockets
import ProcessWitness
import Secrets

// Definitions  "way": a client with its session, for one caller on one device.
// Invariants   (1) While a way connects no other does, so the service knows whose session begins.
//              (2) Ways that were not used lately are closed: a test makes many devices.

/// Carries the calls of simulated apps through a socket to a server in this process.
final class SocketCarrier: CallCarrier {
    private static let wayLimit = 48

    struct Key: Hashable {
        let engine: ObjectIdentifier
        let app: String
        let caller: Caller
    }

    private struct State {
        var ways: [Key: Way] = [:]
        /// The last one was used last.
        var order: [Key] = []
    }

    private let path: String
    private let service: CarriedService
    private let server: SocketServer
    private let state = AdaptiveMutex(State())
    private let connecting = NSLock()

    init(_ kind: EndpointDescription.Kind) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/conformance-\(getpid())"
        mkdir(folder, 0o700)
        path = folder + "/socket"
        unlink(path)
        var limits = ServerLimits()
        limits.connectionsPerAccount = 4096
        limits.connections = 4096
        service = CarriedService(kind)
        server = try SocketServer(
            service: service,
            evidence: try Self.evidence(kind),
            limits: limits
        )
        try server.accept(from: try UnixListener(at: path, mode: 0o600))
    }

    /// Only root can start a witness.
    private static func evidence(
        _ kind: EndpointDescription.Kind
    ) throws -> any EvidenceSource {
        guard kind == .systemDaemon, geteuid() == 0 else { return LocalEvidenceSource() }
        let folder = CommandLine.arguments[0].split(separator: "/").dropLast().joined(
            separator: "/"
        )
        return try WitnessEvidenceSource.spawn(program: "/" + folder + "/keychain-witness")
    }

    func carry(_ request: Request, _ call: CarriedCall) throws(KeychainError) -> Reply {
        let way = way(for: call)
        way.prompters.withLock { $0.append(call.prompter) }
        defer { way.prompters.withLock { _ = $0.popLast() } }
        try connect(way, call)
        return try way.endpoint.send(request)
    }

    private func way(for call: CarriedCall) -> Way {
        let key = Key(
            engine: ObjectIdentifier(call.engine),
            app: call.app,
            caller: call.caller
        )
        return state.withLock { state in
            state.order.removeAll { $0 == key }
            state.order.append(key)
            if let known = state.ways[key] { return known }
            let made = Way(DaemonEndpoint(path: path, note: call.note))
            state.ways[key] = made
            if state.order.count > Self.wayLimit {
                state.ways[state.order.removeFirst()] = nil
            }
            return made
        }
    }

    private func connect(_ way: Way, _ call: CarriedCall) throws(KeychainError) {
        if way.isConnected.withLock({ $0 }) { return }
        connecting.lock()
        defer { connecting.unlock() }
        if way.isConnected.withLock({ $0 }) { return }
        service.expect(call, way)
        _ = try way.endpoint.welcome()
        way.isConnected.withLock { $0 = true }
    }
}

/// A client for one caller, and the people that its calls ask.
final class Way: Sendable {
    let endpoint: DaemonEndpoint
    let isConnected = AdaptiveMutex(false)
    /// Those of the calls under way, all for the same device.
    let prompters = AdaptiveMutex<[any Prompter]>([])

    init(_ endpoint: DaemonEndpoint) { self.endpoint = endpoint }
}
