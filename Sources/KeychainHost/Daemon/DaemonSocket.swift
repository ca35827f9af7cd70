import Glibc
import MessageTransport

// Laws  (1) A protected program never leaves the daemon of the machine where there is one, unless
//           for another socket of the machine's own accounts: whoever starts the program chooses
//           its environment, and would choose a daemon that tells everything.

/// The socket of a daemon that this program is to use, and what named it.
///
/// - Source: the public contract, in Documentation/Daemon.md, "Which keychain a program uses".
package struct DaemonSocket: Sendable, Hashable {
    /// Where the daemon of all accounts listens.
    package static let systemPath = "/run/keychain/socket"
    /// The variable that names a socket; set to nothing, it means that no daemon is used.
    package static let variable = "KEYCHAIN_SOCKET"
    private static let runtimeDirectory = "XDG_RUNTIME_DIR"

    /// What names a socket.
    package enum Origin: Sendable, Hashable {
        case variable
        case system
        /// The account's runtime directory.
        case runtimeDirectory
    }

    package let path: String
    package let origin: Origin
    /// Whose daemon counts.
    package let server: ServerAccounts

    package init(path: String, origin: Origin, server: ServerAccounts = .any) {
        self.path = path
        self.origin = origin
        self.server = server
    }

    /// Where a daemon may be listening, first things first.
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

    /// The first socket that exists, whether or not somebody answers there.
    package static func found(
        _ environment: ProcessEnvironment,
        system: String = systemPath
    ) -> DaemonSocket? {
        candidates(environment, system: system).first(where: \.exists)
    }

    /// Whether the variable asks for the keychain of this process, whatever there is.
    package static func isForbidden(
        _ environment: ProcessEnvironment,
        system: String = systemPath
    ) -> Bool {
        guard environment.names(variable), environment[variable] == nil else { return false }
        return !(environment.isProtected && exists(system))
    }

    /// Whether the environment still names this socket; asked in every call.
    func isNamed(by environment: ProcessEnvironment) -> Bool {
        switch origin {
        case .variable: environment.has(path, in: Self.variable)
        case .system: environment.isProtected || !Self.isForbidden(environment)
        case .runtimeDirectory:
            !Self.isForbidden(environment)
                && environment[Self.runtimeDirectory].map { $0 + "/keychaind.sock" } == path
        }
    }

    /// Whether a protected program keeps to it.
    var isLasting: Bool { origin != .runtimeDirectory && exists }

    /// A socket that cannot be looked at counts as well, unless only a directory of the account's
    /// past is closed: an environment may be another account's.
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
