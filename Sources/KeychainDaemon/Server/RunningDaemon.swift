import CallerEvidence
import Glibc
import KeychainHost
import KeychainModel
import KeychainServer
import KeychainSockets
import ProcessWitness
import Secrets

/// A daemon that serves.
struct RunningDaemon: ~Copyable {
    private let server: SocketServer
    private let keychains: AccountKeychains
    private let threads: LockThreads?
    private let keeper: LogKeeper?
    /// The socket that it made; nil for systemd's.
    private let place: ServedSocket?

    /// Begins to serve.
    ///
    /// - Throws: why it cannot.
    init(
        _ options: DaemonOptions,
        _ environment: ProcessEnvironment,
        _ output: DaemonOutput
    ) throws(KeychainError) {
        try Self.requireSafeAccount(options)
        let places = try DaemonPlaces(options, environment)
        let note: @Sendable (String) -> Void = { output.write(.notice, $0) }
        let own = geteuid()
        let companions: CompanionPrograms =
            options.kind == .system ? .verified : .beside(environment.executableDirectory)
        let sessions = KnownLater<KeychainLocks>()
        let judge = CallerJudge(
            policies: ProgramPolicies(),
            isSeparateAccount: options.kind == .system
        )
        let keeper = KnownLater<LogKeeper>()
        let continuity = Continuity(options.kind, environment)
        let opening = AccountOpening(
            kind: options.kind,
            places: places,
            environment: options.kind == .system ? Self.ownWords(environment) : environment,
            companions: companions,
            judge: judge,
            continuity: continuity,
            written: { keeper.value?.note() },
            activeSessions: { sessions.value?.activeSessions(of: $0) ?? [] },
            warn: note
        )
        let keychains = AccountKeychains { account throws(KeychainError) in
            try opening.open(account)
        }
        let locks = KeychainLocks(
            companions: companions,
            keychains: { keychains.engines },
            note: note
        )
        sessions.value = locks
        // A kept session is open to locks from now on, not from its first call on.
        output.write(
            .info,
            continuity.resume { account throws(KeychainError) in
                try keychains.keychain(of: account).engine
            }
        )
        keeper.value = LogKeeper { keychains.opened.values.compactMap(\.register) }
        let threads = LockThreads(
            locks,
            account: options.kind == .system ? nil : own,
            note: note
        )
        var rules = DaemonService.Rules(
            kind: options.kind,
            ownAccount: own,
            profiles: EmbeddedKeychain.profiles(in: environment),
            judge: { judge.judge($0, accountName: AccountName.name(of: $0.userID)) },
            admit: { request, caller throws(KeychainError) in
                try locks.requireUnlockedScreen(for: request, from: caller)
            },
            report: { output.refusal($0) }
        )
        rules.deviceChanged = { threads?.deviceChanged() }
        let server: SocketServer
        do throws(SocketError) {
            server = try SocketServer(
                service: DaemonService(rules, keychains),
                evidence: PlainEvidenceSource()
            )
        } catch { throw KeychainError(.notAvailable, error.words) }
        let place = try Self.listen(options, places, server, output)
        self.server = server
        self.keychains = keychains
        self.threads = threads
        self.keeper = keeper.value
        self.place = place
        if threads?.start() != true {
            output.write(.warning, "no thread can be started that locks by time, sleep or logout")
        }
    }

    /// Stops: calls under way get their replies, and every key is wiped.
    consuming func stop() {
        if let place { place.remove() }
        server.stop()
        threads?.end()
        keeper?.end()
        keychains.end()
    }

    /// As root it would serve every account with rights that no attack on it should find.
    private static func requireSafeAccount(_ options: DaemonOptions) throws(KeychainError) {
        guard options.kind == .system, geteuid() == 0 else { return }
        guard options.staysInForeground, options.stateDirectory != nil else {
            let reason =
                "the system daemon does not run as root: start it as an account of its own, such as"
                + " keychain; for a test, add --foreground and --state"
            throw KeychainError(.notAvailable, reason)
        }
    }

    /// Of a system daemon's environment only what is about its keychains in general counts.
    private static func ownWords(_ environment: ProcessEnvironment) -> ProcessEnvironment {
        let names: Set = [
            "KEYCHAIN_SECURE_ELEMENT", "KEYCHAIN_BEHAVIOR", "KEYCHAIN_FINGERPRINT",
        ]
        return ProcessEnvironment(
            executable: environment.executable,
            userID: environment.userID,
            variable: { names.contains($0) ? environment[$0] : nil }
        )
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

/// What parts of a daemon know of each other once both are there.
private final class KnownLater<Value: Sendable>: Sendable {
    private let known = AdaptiveMutex<Value?>(nil)

    var value: Value? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
