/// What the command line asks for.
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

    /// Returns nil for wrong usage.
    static func parse(_ arguments: [String]) -> Command? {
        switch (arguments.first, arguments.count) {
        case (nil, _): .run(socket: nil)
        case ("--help"?, 1), ("-h"?, 1): .help
        case ("--socket"?, 2) where !arguments[1].isEmpty: .run(socket: arguments[1])
        default: nil
        }
    }
}
