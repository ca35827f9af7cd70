import Glibc

/// The options of `keychaind`.
package struct DaemonOptions: Sendable, Hashable {
    package var kind = DaemonKind.user
    /// Whether it was started by hand, so that messages are for a person.
    package var staysInForeground = false
    /// The directory of the keychains; nil for the usual one.
    package var stateDirectory: String?
    package var socket: String?
    /// The directories of policy files; empty for the usual ones.
    package var policyDirectories: [String] = []
    package var usesWitness = true
    /// The size limit of an account's items in MiB; only with `--system`.
    package var accountMebibytes = 1024

    package init() {}

    /// The action that the arguments select.
    package enum Choice: Sendable, Hashable {
        case run(DaemonOptions)
        case help
        case version
    }

    /// A fault in the arguments, as a sentence.
    package struct UsageError: Error, Sendable, Hashable {
        package let reason: String
    }

    /// Parses the arguments after the program's name.
    package static func parse(_ words: [String]) throws(UsageError) -> Choice {
        var options = DaemonOptions()
        var kind: DaemonKind?
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = word.hasPrefix("--") ? String(parts[0]) : word
            let attached = word.hasPrefix("--") && parts.count == 2 ? String(parts[1]) : nil
            if let flag = flags[name] {
                guard attached == nil else { throw UsageError(reason: "\(name) takes no value") }
                switch flag {
                case .help: return .help
                case .version: return .version
                case .kind(let chosen):
                    guard kind ?? chosen == chosen else {
                        throw UsageError(reason: "--system and --user exclude each other")
                    }
                    kind = chosen
                case .set(let set): set(&options)
                }
            } else if let path = paths[name] {
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    throw UsageError(reason: "\(name) needs a path")
                }
                path(&options, value)
            } else if name == sizeOption {
                options.accountMebibytes = try size(attached ?? rest.popFirst())
            } else {
                throw UsageError(reason: "unknown option \(word)")
            }
        }
        guard let kind else { throw UsageError(reason: "choose --system or --user") }
        options.kind = kind
        return .run(options)
    }

    private enum Flag {
        case help
        case version
        case kind(DaemonKind)
        case set(@Sendable (inout DaemonOptions) -> Void)
    }

    private static let sizeOption = "--account-size"

    /// Parses a size in MiB, up to the 16 million MiB of SQLite's largest file at our page size.
    private static func size(_ word: String?) throws(UsageError) -> Int {
        guard let word, let size = Int(word), 1...16_000_000 ~= size else {
            throw UsageError(reason: "\(sizeOption) needs a number of MiB, such as 1024")
        }
        return size
    }

    private static let flags: [String: Flag] = [
        "--system": .kind(.system),
        "--user": .kind(.user),
        "--foreground": .set { $0.staysInForeground = true },
        "--no-witness": .set { $0.usesWitness = false },
        "--help": .help,
        "-h": .help,
        "--version": .version,
    ]

    private static let paths: [String: @Sendable (inout DaemonOptions, String) -> Void] = [
        "--state": { $0.stateDirectory = $1 },
        "--socket": { $0.socket = $1 },
        "--policy": { $0.policyDirectories.append($1) },
    ]

    /// The text of `--help`.
    package static let help = """
        usage: keychaind --system | --user [options]

        Serves keychains over a socket, and keeps programs apart.

          --system        Serve every account of this machine. Run it as its own account.
          --user          Serve the account that starts it.
          --foreground    Write messages for a person. Use no socket of systemd.
          --state DIR     Keep keychains here [/var/lib/keychain; --user: the usual directory].
          --socket PATH   Listen here
                          [/run/keychain/socket; --user: $XDG_RUNTIME_DIR/keychaind.sock].
          --policy DIR    Read policies here. Repeat it for several directories
                          [/usr/share/keychain/programs.d and /etc/keychain/programs.d;
                          --user: $XDG_CONFIG_HOME/keychain/programs.d].
          --account-size MIB
                          How much the items of one account may take, with --system [1024].
          --no-witness    Look at programs itself, without keychain-witness.
          --help          Show this help.
          --version       Show the version.

        Example: keychaind --user --foreground --socket /tmp/me/keychaind.sock

        """
}
