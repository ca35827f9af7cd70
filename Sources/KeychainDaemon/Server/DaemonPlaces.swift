import KeychainHost
import KeychainModel

/// The paths that a daemon uses.
struct DaemonPlaces: Sendable {
    static let systemState = "/var/lib/keychain"
    private static let systemPolicies = [
        "/usr/share/keychain/programs.d", "/etc/keychain/programs.d",
    ]

    /// The directory with a directory for each account; nil for the account's own keychain.
    let state: String?
    let socket: String
    let policies: [String]

    /// - Throws: `errSecNotAvailable` if the environment names no directory.
    init(_ options: DaemonOptions, _ environment: ProcessEnvironment) throws(KeychainError) {
        switch options.kind {
        case .system:
            state = options.stateDirectory ?? Self.systemState
            socket = options.socket ?? DaemonSocket.systemPath
            policies =
                options.policyDirectories.isEmpty
                ? Self.systemPolicies : options.policyDirectories
        case .user:
            state = options.stateDirectory
            if let path = options.socket {
                socket = path
            } else {
                guard let runtime = environment["XDG_RUNTIME_DIR"] else {
                    let reason = "XDG_RUNTIME_DIR is unset: name a socket with --socket"
                    throw KeychainError(.notAvailable, reason)
                }
                socket = runtime + "/keychaind.sock"
            }
            let configuration =
                environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
            let own = configuration.map { [$0 + "/keychain/programs.d"] } ?? []
            policies = options.policyDirectories + own
        }
    }
}
