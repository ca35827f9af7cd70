import KeychainSync
import SyncRelay

/// The server with an account's streams, as one process describes it to another.
///
/// - Source: Documentation/Spec/relays.md §6.
package struct RelayPlace: Sendable, Hashable {
    /// The kind of the server.
    package enum Server: UInt8, CaseIterable, Sendable, Hashable {
        case postgreSQL = 1
        case etcd = 2

        /// The greatest entry on such a server, in bytes.
        package var entryByteCountLimit: Int {
            switch self {
            case .postgreSQL: RelayLimit.entryByteCount
            case .etcd: 1_500_000
            }
        }
    }

    package let server: Server
    package let account: AccountName
    /// The connection string of libpq, or the addresses of etcd's members.
    package let texts: [String]

    package init(_ server: Server, _ account: AccountName, _ texts: [String]) {
        self.server = server
        self.account = account
        self.texts = texts
    }
}
