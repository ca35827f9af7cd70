import Glibc
import KeychainSockets
import RemoteRelay

/// The program's help, and its start.
enum RelayHelp {
    static let text = """
        usage: keychain-relay [--help]

        Speak to a PostgreSQL database or to etcd for keychain-sync, which starts this program by
        itself. It has no rights at the keychain daemon and sees sealed entries alone. It ends when
        keychain-sync ends.

          --help  print this text

        Exit status: 0 at the end of the connection, and after --help; 2 if somebody else starts it.
        """

    /// Explains that users do not start this program.
    static func complain() {
        let line = "keychain-relay: keychain-sync starts this program; see keychain-relay --help\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }

    /// Returns the connection to the program that started this one; nil if there is none.
    static func connection() -> UnixStream? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(RelayProgram.descriptor, $0, &size)
            }
        }
        guard code == 0, address.sun_family == sa_family_t(AF_UNIX),
            fcntl(RelayProgram.descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { return nil }
        return UnixStream(Descriptor(RelayProgram.descriptor))
    }
}
