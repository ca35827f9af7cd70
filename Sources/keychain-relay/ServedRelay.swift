import EtcdRelay
import Glibc
import PostgreSQLRelay
import RemoteRelay
import SyncRelay

/// The relays that this program serves.
enum ServedRelay {
    /// Opens the relay at a place.
    ///
    /// Variables name the files with etcd's credentials and certificates, as for etcdctl.
    @Sendable static func open(_ place: RelayPlace) throws(RelayError) -> any Relay {
        switch place.server {
        case .postgreSQL:
            guard place.texts.count == 1 else { throw .refused("a database has one address") }
            return try PostgreSQLRelay(place.texts[0], place.account)
        case .etcd:
            var cluster = EtcdPlace(place.texts)
            cluster.credentialsFile = variable("KEYCHAIN_ETCD_CREDENTIALS")
            cluster.authoritiesFile = variable("ETCDCTL_CACERT")
            cluster.certificateFile = variable("ETCDCTL_CERT")
            cluster.keyFile = variable("ETCDCTL_KEY")
            return try EtcdRelay(cluster, place.account)
        }
    }

    /// Returns a variable; nil if it is unset or empty.
    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
