import CallerEvidence
import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import KeychainServer
import KeychainSockets
import Secrets

@_implementationOnly import CProcess

/// A running daemon.
struct RunningDaemon: ~Copyable {
    private let server: SocketServer
    private let parts: DaemonParts
    /// The socket that it created; nil for systemd's.
    private let place: ServedSocket?

    /// Starts serving.
    ///
    /// - Throws: The reason why it cannot.
    init(
        _ options: DaemonOptions,
        _ environment: ProcessEnvironment,
        _ output: DaemonOutput
    ) throws(KeychainError) {
        try Self.requireSafeAccount(options)
        let places = try DaemonPlaces(options, environment)
        // Create and check the directory before any connection, so that no other user can access
        // it.
        if let state = places.state { _ = try fromStorage(try DirectoryStorage(path: state)) }
        let parts = DaemonParts(options, places, environment, output)
        let evidence = try DaemonEvidence.source(
            options,
            beside: environment.executableDirectory
        )
        let server: SocketServer
        do throws(SocketError) {
            server = try SocketServer(
                service: DaemonService(parts.rules, parts.keychains),
                evidence: evidence,
                limits: DescriptorLimit.serverLimits,
                person: parts.persons.person(of:)
            )
        } catch { throw KeychainError(.notAvailable, error.words) }
        let place = try Self.listen(options, places, server, output)
        self.server = server
        self.parts = parts
        self.place = place
        parts.start(output)
        // The start-up code is not needed again.
        process_release_code()
    }

    /// Reads the policies again.
    borrowing func reload() { parts.policies.reload() }

    /// Stops: calls in progress get their replies, and every key is wiped.
    ///
    /// The socket of all accounts stays without a daemon, so that programs do not silently use
    /// another keychain. A daemon of one account serves the only one.
    consuming func stop() {
        if let place, parts.rules.kind == .user { place.remove() }
        server.stop()
        parts.end()
    }

    /// Throws for a system daemon as root, whose rights would be too valuable for an attacker.
    private static func requireSafeAccount(_ options: DaemonOptions) throws(KeychainError) {
        guard options.kind == .system, geteuid() == 0 else { return }
        guard options.staysInForeground, options.stateDirectory != nil else {
            let reason =
                "the system daemon does not run as root: start it as an account of its own, such as"
                + " keychain; for a test, add --foreground and --state"
            throw KeychainError(.notAvailable, reason)
        }
    }
}

// Listening.
extension RunningDaemon {
    private static func listen(
        _ options: DaemonOptions,
        _ places: DaemonPlaces,
        _ server: SocketServer,
        _ output: DaemonOutput
    ) throws(KeychainError) -> ServedSocket? {
        let words = options.kind == .system ? "every account" : "account \(geteuid())"
        if try acceptFromSystemd(options, server) {
            output.write(.info, "serves \(words) on the socket of systemd")
            return nil
        }
        var made = try ServedSocket.listen(
            at: places.socket,
            mode: options.kind == .system ? 0o666 : 0o600
        )
        do throws(SocketError) {
            if let listener = made.listener.take() { try server.accept(from: listener) }
        } catch { throw KeychainError(.notAvailable, error.words) }
        output.write(.info, "serves \(words) at \(places.socket)")
        return made.place
    }

    private static func acceptFromSystemd(
        _ options: DaemonOptions,
        _ server: SocketServer
    ) throws(KeychainError) -> Bool {
        if options.staysInForeground || options.socket != nil { return false }
        do throws(SocketError) {
            let numbers = try SystemdService.listeningSockets()
            for number in numbers {
                try server.accept(from: try UnixListener(KeychainSockets.Descriptor(number)))
            }
            return !numbers.isEmpty
        } catch { throw KeychainError(.notAvailable, error.words) }
    }
}
