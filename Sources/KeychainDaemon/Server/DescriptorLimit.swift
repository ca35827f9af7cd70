import Glibc
import KeychainServer

/// The limit of this process's descriptors.
enum DescriptorLimit {
    /// The most that it requests: two for each connection, and about ten for each keychain.
    private static let most: rlim_t = 65_536
    /// One of this many descriptors counts as a connection's; the rest is for keychains.
    private static let perConnection = 4

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Raises the limit, because each connection takes two, and the usual limit is for select(2).
    static func raise() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, most)
        // With the old limit, fewer programs can connect.
        _ = setrlimit(resource, &limit)
    }

    /// The limits of a server with these descriptors.
    static var serverLimits: ServerLimits {
        var limits = ServerLimits()
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < most else { return limits }
        limits.connections = min(limits.connections, max(8, Int(limit.rlim_cur) / perConnection))
        return limits
    }
}
