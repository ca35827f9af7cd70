import Glibc
import KeychainServer

/// How many descriptors this process may have.
enum DescriptorLimit {
    /// The most that are asked for: two for each connection, and some ten for each keychain.
    private static let most: rlim_t = 65_536
    /// Of so many descriptors one is for a connection's two, the others are for keychains.
    private static let perConnection = 4

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Each connection takes two, and the usual limit is meant for select(2).
    static func raise() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, most)
        // With the limit as it was, fewer programs can connect.
        _ = setrlimit(resource, &limit)
    }

    /// What a server allows that has these descriptors.
    static var serverLimits: ServerLimits {
        var limits = ServerLimits()
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < most else { return limits }
        limits.connections = min(limits.connections, max(8, Int(limit.rlim_cur) / perConnection))
        return limits
    }
}
