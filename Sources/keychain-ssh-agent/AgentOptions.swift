import Glibc
import KeychainModel

/// What the command line asks for.
struct AgentOptions: Equatable {
    static let usage = """
        usage: keychain-ssh-agent [-D] [-a SOCKET] [-t LIFETIME] [-c|-s] [COMMAND …]
               keychain-ssh-agent -k [-c|-s]

        Serve the SSH keys of your keychain, and keys of ssh-add, to SSH clients.

          -a SOCKET    listen at this path [a new private directory]
          -t LIFETIME  forget keys of ssh-add after this time, such as 600, 10m or 1h30m [never]
          -D           stay in the foreground
          -s           write commands for the Bourne shell [unless SHELL ends in csh]
          -c           write commands for the C shell
          -k           stop the agent that SSH_AGENT_PID names
          --help       print this text
          --version    print the version

        With COMMAND it runs the command with SSH_AUTH_SOCK set, and ends with it. systemd can hand
        over the socket. SIGHUP shows keys again that ssh-add -d or -D has hidden.
        Exit status: 0; 1 if it cannot listen; 2 for wrong usage; with COMMAND that of the command.

        Example: eval "$(keychain-ssh-agent)"

        """

    enum Shell: Equatable { case bourne, c }

    enum Mode: Equatable {
        case help, version, stop
        case background, foreground
        case command([String])
        /// This program, started by itself: the socket is descriptor 3, and if something is to be
        /// watched, its pidfd is descriptor 4.
        case inherited(isWatching: Bool)
    }

    /// The directory that was made for the socket; for a program that was started by itself.
    var directory: String?

    var mode = Mode.background
    var socket: String?
    var lifetimeSeconds: UInt32?
    var shell = Shell.bourne

    /// Wrong arguments, as a sentence.
    struct UsageError: Error, Equatable { let reason: String }

    /// Reads the arguments behind the program's name.
    static func parse(
        _ words: [String],
        shell: String?
    ) throws(UsageError) -> AgentOptions {
        var options = AgentOptions()
        if shell?.hasSuffix("csh") == true { options.shell = .c }
        var rest = words[...]
        while let word = rest.first, word.hasPrefix("-") {
            rest = rest.dropFirst()
            if word == "--" { break }
            try options.take(word, &rest)
        }
        guard let command = rest.first else { return options }
        guard options.mode == .background else {
            throw UsageError(reason: "these options take no command, such as \(command)")
        }
        options.mode = .command(Array(rest))
        return options
    }

    private mutating func take(
        _ word: String,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        switch word {
        case "--help", "-h": mode = .help
        case "--version": mode = .version
        case "-k": mode = .stop
        case "-D", "-d", "--foreground": mode = .foreground
        case "-s": shell = .bourne
        case "-c": shell = .c
        case "--inherited": mode = .inherited(isWatching: false)
        case "--inherited-watching": mode = .inherited(isWatching: true)
        case "--directory":
            guard let path = rest.popFirst() else {
                throw UsageError(reason: "--directory needs a path")
            }
            directory = path
        case "-a":
            guard let path = rest.popFirst(), !path.isEmpty else {
                throw UsageError(reason: "-a needs a path")
            }
            socket = path
        case "-t":
            guard let seconds = rest.popFirst().flatMap(Lifetime.seconds) else {
                throw UsageError(reason: "-t needs a time, such as 600, 10m or 1h30m")
            }
            lifetimeSeconds = seconds
        default: throw UsageError(reason: "unknown option \(word)")
        }
    }
}

/// Times as sshd_config(5) writes them.
enum Lifetime {
    private static let units: [Character: UInt64] = [
        "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]

    /// Such as 5400 for `1h30m`; nil for anything else, and for nothing.
    static func seconds(_ text: String) -> UInt32? {
        var total: UInt64 = 0
        var number: UInt64?
        for character in text.lowercased() {
            if let digit = character.wholeNumberValue, character.isASCII {
                let next = (number ?? 0) * 10 + UInt64(digit)
                guard next <= UInt64(UInt32.max) else { return nil }
                number = next
            } else {
                guard let count = number, let unit = units[character] else { return nil }
                total += count * unit
                number = nil
            }
        }
        total += number ?? 0
        return total > 0 ? UInt32(exactly: total) : nil
    }
}
