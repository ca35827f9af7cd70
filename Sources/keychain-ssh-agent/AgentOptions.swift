import Glibc
import KeychainModel
import SSHAgentProtocol

/// The options of the command line.
struct AgentOptions: Equatable {
    static let usage = """
        usage: keychain-ssh-agent [-D] [-a SOCKET] [-E HASH] [-t LIFETIME] [-c|-s] [COMMAND …]
               keychain-ssh-agent -k [-c|-s]

        Serve the SSH keys of your keychain, and keys of ssh-add, to SSH clients.

          -a SOCKET    listen at this path [a new private directory]
          -t LIFETIME  forget keys of ssh-add after this time, such as 600, 10m or 1h30m [never]
          -E HASH      show fingerprints as sha256 or md5 [sha256]
          -D           stay in the foreground
          -s           write commands for the Bourne shell [unless SHELL ends in csh]
          -c           write commands for the C shell
          -k           stop the agent that SSH_AGENT_PID names
          --help       print this text
          --version    print the version

        With COMMAND it runs the command with SSH_AUTH_SOCK set, and ends with it. systemd can hand
        over the socket. -O and -P of OpenSSH's agent are accepted: they restrict PKCS #11
        providers and web keys, and this agent has neither. SIGHUP shows keys again that ssh-add
        -d or -D has hidden.
        Exit status: 0; 1 if it cannot listen; 2 for wrong usage; with COMMAND that of the command.

        Example: eval "$(keychain-ssh-agent)"

        """

    enum Shell: Equatable { case bourne, c }

    enum Mode: Equatable {
        case help, version, stop
        case background, foreground
        case command([String])
        /// The program was started by itself: descriptor 3 is the socket, and descriptor 4 is the
        /// pidfd of a watched process, if there is one.
        case inherited(isWatching: Bool)
    }

    /// The directory that was made for the socket, if the program was started by itself.
    var directory: String?

    var mode = Mode.background
    var socket: String?
    var lifetimeSeconds: UInt32?
    var fingerprintHash = FingerprintHash.sha256
    private var providers: String?
    var shell = Shell.bourne

    /// A mistake in the arguments, as a sentence.
    struct UsageError: Error, Equatable { let reason: String }

    /// Parses the arguments after the program's name.
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
            if word.hasPrefix("--") {
                try options.takeLong(word, &rest)
            } else {
                try options.takeLetters(word, &rest)
            }
        }
        guard let command = rest.first else { return options }
        guard options.mode == .background else {
            throw UsageError(reason: "these options take no command, such as \(command)")
        }
        options.mode = .command(Array(rest))
        return options
    }

    private mutating func takeLong(
        _ word: String,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        switch word {
        case "--help": mode = .help
        case "--version": mode = .version
        case "--foreground": mode = .foreground
        case "--inherited": mode = .inherited(isWatching: false)
        case "--inherited-watching": mode = .inherited(isWatching: true)
        case "--directory":
            guard let path = rest.popFirst() else {
                throw UsageError(reason: "--directory needs a path")
            }
            directory = path
        default: throw UsageError(reason: "unknown option \(word)")
        }
    }

    /// Parses letters after a dash, as getopt(3) does: a value may be in the same word.
    private mutating func takeLetters(
        _ word: String,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        var letters = word.dropFirst()
        guard !letters.isEmpty else { throw UsageError(reason: "unknown option \(word)") }
        while let letter = letters.popFirst() {
            switch letter {
            case "h": mode = .help
            case "k": mode = .stop
            case "D", "d": mode = .foreground
            case "s": shell = .bourne
            case "c": shell = .c
            case "a", "t", "E", "O", "P":
                let value = letters.isEmpty ? rest.popFirst() : String(letters)
                letters = ""
                try take(letter, value)
            default: throw UsageError(reason: "unknown option -\(letter)")
            }
        }
    }

    private mutating func take(_ letter: Character, _ value: String?) throws(UsageError) {
        switch letter {
        case "a":
            guard let value, !value.isEmpty else { throw UsageError(reason: "-a needs a path") }
            socket = value
        case "t":
            guard let seconds = value.flatMap(Lifetime.seconds) else {
                throw UsageError(reason: "-t needs a time, such as 600, 10m or 1h30m")
            }
            lifetimeSeconds = seconds
        case "E":
            guard let hash = value.flatMap({ FingerprintHash(rawValue: $0.lowercased()) }) else {
                throw UsageError(reason: "-E needs sha256 or md5")
            }
            fingerprintHash = hash
        case "O":
            guard let value, Self.isAgentOption(value) else {
                let names = "no-restrict-websafe, allow-remote-pkcs11 or websafe-allow=LIST"
                throw UsageError(reason: "-O needs \(names)")
            }
        default:
            guard let value, !value.isEmpty else { throw UsageError(reason: "-P needs a list") }
            guard providers == nil else { throw UsageError(reason: "-P is there already") }
            providers = value
        }
    }

    /// Whether a value is one of those that ssh-agent(1) accepts after -O.
    private static func isAgentOption(_ value: String) -> Bool {
        ["no-restrict-websafe", "allow-remote-pkcs11"].contains(value)
            || value.hasPrefix("websafe-allow=")
    }
}

/// Times in the format of sshd_config(5).
enum Lifetime {
    private static let units: [Character: UInt64] = [
        "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
    ]

    /// Returns the seconds, such as 5400 for `1h30m`; nil for other text, and for an empty one.
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
