import Glibc
import MessageTransport

// Law  A protected program always uses the machine's daemon if there is one, or else a socket
//      of the machine's own accounts. A caller chooses the environment of a program, and could
//      otherwise choose a daemon that reveals everything.

/// The socket of the daemon that this program uses, and its origin.
///
/// - Source: the public contract, in Documentation/Daemon.md, "Which keychain a program uses".
package struct DaemonSocket: Sendable, Hashable {
    /// The socket path of the daemon of all accounts.
    package static let systemPath = "/run/keychain/socket"
    /// The variable that names a socket; if it is set but empty, no daemon is used.
    package static let variable = "KEYCHAIN_SOCKET"
    private static let runtimeDirectory = "XDG_RUNTIME_DIR"

    /// The origin of a socket's path.
    package enum Origin: Sendable, Hashable {
        case variable
        case system
        /// The account's runtime directory.
        case runtimeDirectory
    }

    package let path: String
    package let origin: Origin
    /// The accounts whose daemon is accepted.
    package let server: ServerAccounts

    package init(path: String, origin: Origin, server: ServerAccounts = .any) {
        self.path = path
        self.origin = origin
        self.server = server
    }

    /// Returns the sockets where a daemon may be listening, in order of preference.
    package static func candidates(
        _ environment: ProcessEnvironment,
        system: String = systemPath
    ) -> [DaemonSocket] {
        if isForbidden(environment, system: system) { return [] }
        let isHeld = environment.isProtected && exists(system)
        var found: [DaemonSocket] = []
        if let path = environment[variable] {
            let server: ServerAccounts = isHeld ? .machine : .any
            found.append(DaemonSocket(path: path, origin: .variable, server: server))
        }
        found.append(DaemonSocket(path: system, origin: .system))
        if !isHeld, let directory = environment[runtimeDirectory] {
            let path = directory + "/keychaind.sock"
            found.append(DaemonSocket(path: path, origin: .runtimeDirectory))
        }
        return found
    }

    /// Returns the first socket that exists, even if no daemon answers there.
    package static func found(
        _ environment: ProcessEnvironment,
        system: String = systemPath
    ) -> DaemonSocket? {
        candidates(environment, system: system).first(where: \.exists)
    }

    /// Whether the variable requests the keychain of this process in any case.
    package static func isForbidden(
        _ environment: ProcessEnvironment,
        system: String = systemPath
    ) -> Bool {
        guard environment.names(variable), environment[variable] == nil else { return false }
        return !(environment.isProtected && exists(system))
    }

    /// Whether the environment still names this socket; every call checks it.
    func isNamed(by environment: ProcessEnvironment) -> Bool {
        switch origin {
        case .variable: environment.has(path, in: Self.variable)
        case .system: environment.isProtected || !Self.isForbidden(environment)
        case .runtimeDirectory:
            !Self.isForbidden(environment)
                && environment[Self.runtimeDirectory].map { $0 + "/keychaind.sock" } == path
        }
    }

    /// Whether a protected program continues to use it.
    var isLasting: Bool { origin != .runtimeDirectory && exists }

    /// Whether the socket exists.
    ///
    /// A path that cannot be checked counts as existing, unless it is in a runtime directory,
    /// because an environment may come from another account.
    private var exists: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return origin != .runtimeDirectory && errno != ENOENT && errno != ENOTDIR
        }
        return status.st_mode & S_IFMT == S_IFSOCK
    }

    private static func exists(_ path: String) -> Bool {
        DaemonSocket(path: path, origin: .system).exists
    }
}
