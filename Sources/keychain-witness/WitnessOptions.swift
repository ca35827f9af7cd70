import Glibc
import KeychainSockets
import ProcessWitness

/// The options of the command line.
struct WitnessOptions {
    /// The account of clients, by name or number.
    private(set) var client = "keychain"
    /// The path of the socket; nil for descriptor 3 from systemd or the daemon.
    private(set) var socket: String?

    static let usage = "usage: keychain-witness [--client ACCOUNT] [--socket PATH] [--help]"
    static let socketless = "no socket: start it by systemd, or with --socket PATH"
    static let help = """
        \(usage)

        Tell the keychain daemon what the kernel knows of the programs that ask it. systemd starts
        it on its socket. It keeps CAP_SYS_PTRACE alone, and ends when it receives SIGTERM.

          --client ACCOUNT  the account of the daemon, by name or number [keychain]
          --socket PATH     listen there instead of on the socket of systemd
          --help            print this text

        Exit status: 0 after --help; 1 if it cannot begin; 2 for wrong usage.
        """

    /// Parses the arguments; nil if they are wrong.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            guard let value = rest.popFirst(), !value.isEmpty else { return nil }
            switch word {
            case "--client": client = value
            case "--socket": socket = value
            default: return nil
            }
        }
    }

    /// The number of the clients' account; nil if there is no such account.
    var clientUserID: UInt32? {
        if let number = UInt32(client) { return number }
        return getpwnam(client)?.pointee.pw_uid
    }

    /// Returns the listening socket.
    ///
    /// A socket at a path belongs to the client's account, and no other account may connect. Each
    /// connection is checked again.
    func listener(for client: UInt32) -> WitnessListener? {
        guard let socket else {
            var kind: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(3, SOL_SOCKET, SO_ACCEPTCONN, &kind, &size) == 0, kind == 1,
                fcntl(3, F_SETFD, FD_CLOEXEC) == 0, let passed = Descriptor(opened: 3)
            else { return nil }
            return WitnessListener(passed)
        }
        unlink(socket)
        umask(0o177)
        guard let address = WitnessAddress(path: socket), let listener = try? address.listen(),
            chown(socket, client, gid_t.max) == 0
        else { return nil }
        return listener
    }

    /// Ends this process with the one that started it, if that passed a pipe.
    func endWithParent() {
        var facts = stat()
        guard fstat(STDIN_FILENO, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return }
        WitnessThread.start {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) != 0 {}
            exit(0)
        }
    }
}
