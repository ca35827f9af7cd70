import Glibc
import KeychainCommand
import KeychainHost
import KeychainSync
import RemoteRelay
import SyncRelay

/// A relay's address, as the user types it.
enum RelayAddress: Hashable {
    /// An absolute path.
    case directory(String)
    /// A connection string of libpq.
    case postgreSQL(String)
    /// The addresses of etcd's members.
    case etcd([String])

    private static let postgreSQLPrefixes = ["postgresql://", "postgres://", "service="]
    private static let etcdPrefix = "etcd:"

    /// Parses an address; a path may be relative to the working directory.
    init(_ text: String) throws(CommandFailure) {
        guard !text.isEmpty else { throw .usage("the relay has no name") }
        if Self.postgreSQLPrefixes.contains(where: text.hasPrefix) {
            guard !Self.hasPassword(text) else {
                throw .usage(
                    "other users see the arguments of programs: leave the password out of the"
                        + " relay's address and put it into ~/.pgpass"
                )
            }
            self = .postgreSQL(text)
        } else if text.hasPrefix(Self.etcdPrefix) {
            let members = text.dropFirst(Self.etcdPrefix.count).split(separator: ",")
            guard !members.isEmpty, members.allSatisfy(Self.isAddress) else {
                throw .usage("give etcd's addresses as etcd:https://host:2379,https://host2:2379")
            }
            self = .etcd(members.map(String.init))
        } else {
            // A directory with such a name could exist, but the user never means that.
            guard !text.contains("://") else {
                throw .usage(
                    "'\(text)' is no relay: give a directory, postgresql://host/database, or"
                        + " etcd:https://host:2379"
                )
            }
            self = .directory(try Self.absolute(text))
        }
    }

    private static func isAddress(_ text: Substring) -> Bool {
        let rest = ["https://", "http://"].first(where: text.hasPrefix).map {
            text.dropFirst($0.count)
        }
        return rest.map { !$0.isEmpty && !$0.contains("@") && !$0.contains("/") } ?? false
    }

    /// Whether a connection string contains a password.
    private static func hasPassword(_ text: String) -> Bool {
        if text.lowercased().contains("password=") { return true }
        guard let scheme = text.firstRange(of: "://") else { return false }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return false }
        return authority[..<at].contains(":")
    }

    private static func absolute(_ path: String) throws(CommandFailure) -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else {
            throw .input("the working directory has no path")
        }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    /// The address in the form that the keychain stores.
    var text: String {
        switch self {
        case .directory(let path): path
        case .postgreSQL(let connection): connection
        case .etcd(let members): Self.etcdPrefix + members.joined(separator: ",")
        }
    }

    /// Opens the relay for one account.
    ///
    /// A separate process connects to servers: their libraries do not belong in a process that may
    /// read all items of the keychain.
    func open(
        _ account: AccountName,
        _ environment: ProcessEnvironment
    ) throws(RelayError) -> any Relay {
        let place: RelayPlace
        switch self {
        case .directory(let path): return try DirectoryRelay(path, account)
        case .postgreSQL(let text): place = RelayPlace(.postgreSQL, account, [text])
        case .etcd(let members): place = RelayPlace(.etcd, account, members)
        }
        let program = RelayProgram(path: environment.executableDirectory + "/keychain-relay")
        return RemoteRelay(place, program)
    }
}
