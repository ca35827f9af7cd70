import Foundation
import Glibc
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServer
import KeychainSimulator
import KeychainSockets
import Secrets

// Definitions  "way": a client with its session, for one caller on one device.
// Invariants   (1) While a way connects no other does, so the service knows whose session begins.
//              (2) A way ends with its device: nothing of it is kept longer.

/// Carries the calls of simulated apps through a socket to a server in this process.
final class SocketCarrier: CallCarrier {
    private struct Key: Hashable {
        let app: String
        let caller: Caller
    }

    /// The ways of a device; they keep its engine, so no other one has its identity.
    private typealias Ways = [Key: Way]

    let service: CarriedService
    private let path: String
    private let server: SocketServer
    private let ways = AdaptiveMutex<[ObjectIdentifier: Ways]>([:])
    private let connecting = NSLock()

    init(_ kind: EndpointDescription.Kind, fault: CarriedFault? = nil) throws {
        path = try CarrierFolder.newSocket()
        var limits = ServerLimits()
        limits.connectionsPerPerson = 4096
        limits.connections = 4096
        service = CarriedService(kind, fault: fault)
        server = try SocketServer(
            service: service,
            evidence: try EvidenceOfTests(usesWitness: kind == .systemDaemon),
            limits: limits
        )
        try server.accept(from: try UnixListener(at: path, mode: 0o600))
    }

    func carry(_ request: Request, _ call: CarriedCall) throws(KeychainError) -> Reply {
        let way = way(for: call)
        try connect(way, call)
        let result = CarriedPrompter.$person.withValue(call.prompter) {
            Result { () throws(KeychainError) in try way.endpoint.send(request) }
        }
        return try result.get()
    }

    func forget(_ engine: Engine) {
        // The ways end where the lock is not held.
        let ended = ways.withLock { $0.removeValue(forKey: ObjectIdentifier(engine)) }
        withExtendedLifetime(ended) { service.forget(engine) }
    }

    private func way(for call: CarriedCall) -> Way {
        let key = Key(app: call.app, caller: call.caller)
        return ways.withLock { ways in
            let device = ObjectIdentifier(call.engine)
            if let known = ways[device]?[key] { return known }
            let made = Way(
                call.engine,
                DaemonEndpoint(
                    path: path,
                    prompter: CarriedPrompter(tickets: service.tickets),
                    note: call.note
                )
            )
            ways[device, default: [:]][key] = made
            return made
        }
    }

    private func connect(_ way: Way, _ call: CarriedCall) throws(KeychainError) {
        if way.isConnected.withLock({ $0 }) { return }
        connecting.lock()
        defer { connecting.unlock() }
        if way.isConnected.withLock({ $0 }) { return }
        service.expect(call)
        defer { service.expectNobody() }
        _ = try way.endpoint.welcome()
        way.isConnected.withLock { $0 = true }
    }
}

/// Where the sockets of this process are, until it exits.
private enum CarrierFolder {
    private static let path: String = {
        let path = FileManager.default.temporaryDirectory.path + "/conformance-\(getpid())"
        atexit { try? FileManager.default.removeItem(atPath: CarrierFolder.path) }
        return path
    }()

    static func newSocket() throws -> String {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return path + "/" + UUID().uuidString
    }
}
