import Glibc

/// Keeps the memory of this process out of core files.
///
/// For our own executables only: a library must not change the limits of the program it is in.
package enum CoreDump {
    /// Sets the soft limit of the core file size to 0 bytes.
    ///
    /// - Returns: Whether the kernel agreed.
    /// - Source: setrlimit(2), `RLIMIT_CORE`.
    @discardableResult
    package static func exclude() -> Bool {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return false }
        limit.rlim_cur = 0
        return setrlimit(resource, &limit) == 0
    }

    private static var resource: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_CORE.rawValue)
    }
}
