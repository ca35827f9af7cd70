import Glibc
import KeychainCommand
import KeychainHost
import KeychainModel
import KeychainServer
import KeychainSockets
import ScenarioRunner

/// A server for a device behind a socket, until a signal or the command `stop`.
enum DeviceServer {
    private static let endSignals = [SIGTERM, SIGINT, SIGHUP]

    static func run(
        _ served: ServedDevice,
        at place: SimulationSocket,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let path = try wrapping { () throws(KeychainError) in try place.prepare() }
        // The signals are blocked before other threads exist, so that all leave them to this one.
        var signals = Self.blockedSignals()
        let lock = try wrapping { () throws(KeychainError) in try ServiceLock(beside: path) }
        defer {
            unlink(path)
            lock.release()
        }
        let server: SocketServer
        do throws(SocketError) {
            server = try SocketServer(
                service: SimulationService(served, account: geteuid()),
                evidence: PeerEvidence()
            )
            try server.accept(from: try UnixListener(at: path, mode: 0o600))
        } catch {
            throw .keychain(KeychainError(.io, "\(path) cannot be served (\(error.words))"))
        }
        let name = place.candidates.count > 1 ? place.name : path
        try context.print(
            line: "simulate: \(place.name) is ready; start programs with"
                + " \(SimulationSocket.variable)=\(name)"
        )
        var received: Int32 = 0
        while sigwait(&signals, &received) != 0 {}
        server.stop()
    }

    private static func blockedSignals() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in endSignals { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        return signals
    }

    private static func wrapping<Value>(
        _ body: () throws(KeychainError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
    }
}

/// The right to serve a path, which only one process has at a time.
private struct ServiceLock {
    private let descriptor: Int32

    /// Takes the right, and removes the socket of a process that did not clean up.
    ///
    /// - Throws: `errSecNotAvailable` if another process serves the path; `errSecIO`.
    init(beside path: String) throws(KeychainError) {
        descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let words = String(cString: strerror(errno))
            throw KeychainError(.io, "\(path).lock cannot be opened (\(words))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw KeychainError(
                .notAvailable,
                "a simulated device runs at \(path) already: stop it first, or use another name"
            )
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK, unlink(path) == 0 else {
            close(descriptor)
            throw KeychainError(.io, "\(path) exists and is not a socket: use another path")
        }
    }

    func release() {
        // A program that another thread is starting inherits the lock until its `exec`.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
