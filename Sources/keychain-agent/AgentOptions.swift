/// The options of the command line.
struct AgentOptions: Equatable {
    static let usage = """
        usage: keychain-agent [--socket PATH] [--help]

        Show the prompts of the keychain daemon in this session. systemd starts it with a graphical
        session. It ends when it receives SIGTERM, and connects again when the daemon restarts.

          --socket PATH  the daemon's socket [KEYCHAIN_SOCKET, /run/keychain/socket,
                         $XDG_RUNTIME_DIR/keychaind.sock: the first that exists]
          --help         print this text

        As a protected program it uses only /run/keychain/socket, if that exists.
        Exit status: 0 after SIGTERM; 1 if the daemon refuses this program; 2 for wrong usage.

        Example: keychain-agent

        """

    enum Command: Equatable {
        case help
        case run(socket: String?)
    }

    /// A mistake in the arguments, as a sentence.
    struct UsageError: Error, Equatable { let reason: String }

    /// Parses the arguments after the program's name.
    static func parse(_ arguments: [String]) throws(UsageError) -> Command {
        var socket: String?
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--socket":
                guard let path = rest.popFirst(), !path.isEmpty else {
                    throw UsageError(reason: "--socket needs a path")
                }
                socket = path
            default:
                let kind = word.hasPrefix("-") ? "option" : "argument"
                throw UsageError(reason: "unknown \(kind) \(word)")
            }
        }
        return .run(socket: socket)
    }
}
