import Glibc
import KeychainSockets
import ProgramStart
import SyncRelay

/// The program that serves relays, with its settings.
///
/// It gets one end of a connection, the user's own group, and the variables that relays need.
///
/// - Source: Documentation/Spec/relays.md §6; posix_spawn(3).
package struct RelayProgram: RelayLauncher {
    /// The descriptor of the connection.
    package static let descriptor: Int32 = 3

    /// The variables of relays.
    ///
    /// Those of proxies and of the dynamic loader are excluded.
    private static let variables: Set = [
        "HOME", "KEYCHAIN_ETCD_CREDENTIALS", "KRB5CCNAME", "KRB5_CONFIG",
    ]
    private static let beginnings = ["PG", "ETCDCTL_"]

    private let path: String
    private let environment: [String]

    /// Describes the program.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the program.
    ///   - environment: Variables such as `PGHOST=localhost`; the program gets those of relays.
    package init(path: String, environment: [String] = GivenEnvironment.remainder) {
        self.path = path
        self.environment = environment.filter(Self.isOfRelays)
    }

    static func isOfRelays(_ setting: String) -> Bool {
        let name = setting.prefix { $0 != "=" }
        return variables.contains(String(name)) || beginnings.contains(where: name.hasPrefix)
    }

    package func launch() throws(RelayError) -> RelayPeer {
        let pair: UnixStream.Pair
        do throws(SocketError) { pair = try UnixStream.Pair() } catch {
            throw .unreachable(error.words)
        }
        return try pair.divide { own, other throws(RelayError) in
            RelayPeer(own, process: try start(other.descriptor.number))
        }
    }

    private func start(_ socket: Int32) throws(RelayError) -> StartedProgram {
        var plan = ProgramPlan(path, environment: environment)
        plan.descriptors = [STDERR_FILENO: STDERR_FILENO, Self.descriptor: socket]
        do throws(StartFailure) { return try plan.start() } catch {
            throw .refused(error.description)
        }
    }
}
