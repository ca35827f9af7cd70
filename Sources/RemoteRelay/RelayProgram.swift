import Glibc
import KeychainSockets
import SyncRelay

@_implementationOnly import CProcess

/// The program that serves relays, and what it gets from the one that starts it.
///
/// It gets one end of a connection, the person's own group, and variables that relays need.
///
/// - Source: Documentation/Spec/relays.md §6; posix_spawn(3).
package struct RelayProgram: RelayLauncher {
    /// The descriptor that has the connection.
    package static let descriptor: Int32 = 3

    /// Variables of relays; those of proxies and of the loader are not among them.
    private static let variables: Set = [
        "HOME", "KEYCHAIN_ETCD_CREDENTIALS", "KRB5CCNAME", "KRB5_CONFIG",
    ]
    private static let beginnings = ["PG", "ETCDCTL_"]

    private let path: String
    private let environment: [String]

    /// - Parameters:
    ///   - path: The program's absolute path.
    ///   - environment: Settings such as `PGHOST=localhost`; the program gets those of relays.
    package init(path: String, environment: [String] = Self.environmentOfProcess()) {
        self.path = path
        self.environment = environment.filter(Self.isOfRelays)
    }

    static func isOfRelays(_ setting: String) -> Bool {
        let name = setting.prefix { $0 != "=" }
        return variables.contains(String(name)) || beginnings.contains(where: name.hasPrefix)
    }

    /// The settings of this process.
    package static func environmentOfProcess() -> [String] {
        var settings: [String] = []
        var next = environ
        while let setting = next.pointee {
            settings.append(String(cString: setting))
            next += 1
        }
        return settings
    }

    package func launch() throws(RelayError) -> RelayPeer {
        let pair: UnixStream.Pair
        do throws(SocketError) { pair = try UnixStream.Pair() } catch {
            throw .unreachable(error.words)
        }
        return try pair.divide { own, other throws(RelayError) in
            let process = try spawn(other.descriptor.number)
            return RelayPeer(own, process: process)
        }
    }

    private func spawn(_ socket: Int32) throws(RelayError) -> pid_t {
        // Out of the way of the numbers that the program gets.
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, Self.descriptor + 1)
        guard copy >= 0 else { throw .unreachable("fcntl: \(String(cString: strerror(errno)))") }
        defer { close(copy) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [STDIN_FILENO, STDOUT_FILENO] {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, copy, Self.descriptor)
        guard process_close_from(&actions, Self.descriptor + 1) == 0 else {
            throw .unreachable("the process has no memory for another one")
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // The group of a protected program stays behind.
        let flags = POSIX_SPAWN_RESETIDS | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = [strdup(path), nil]
        var settings = environment.map { strdup($0) } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, &attributes, &words, &settings)
        guard code == 0 else {
            let reason = String(cString: strerror(code))
            throw .refused("\(path) cannot be started: \(reason)")
        }
        return process
    }
}
