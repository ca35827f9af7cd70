import Glibc

@_implementationOnly import CProcess

/// Protection of this process's memory from core files and from other programs, even in a crash.
///
/// Only executables of this package use it: a library must not change the program that it is in.
package enum CoreDump {
    /// Makes the process not dumpable, and sets the soft limit of its core file size to 0 bytes.
    ///
    /// The limit is not enough: if `core_pattern` names a handler, the kernel ignores the limit and
    /// pipes the whole memory to the handler. A process that is not dumpable leaves no core at all.
    /// Other programs of the same user can neither trace it nor read `/proc/<pid>/mem`. A program
    /// that it runs is dumpable again.
    ///
    /// A crash ends the process and starts nothing. Otherwise Swift's runtime would start
    /// `swift-backtrace`, which it searches beside the path with which this program was started.
    /// For a bare name, that is the current directory.
    ///
    /// - Returns: Whether the kernel accepted everything.
    /// - Source: prctl(2), `PR_SET_DUMPABLE`; core(5); setrlimit(2), `RLIMIT_CORE`; Swift's
    ///   "Backtracing support in Swift".
    @discardableResult
    package static func exclude() -> Bool {
        let isForbidden = visibility.withLock { visibility in
            visibility.isExcluded = true
            return process_keep_memory() == 0
        }
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return false }
        limit.rlim_cur = 0
        return setrlimit(resource, &limit) == 0 && isForbidden
    }

    private struct Visibility {
        var isExcluded = false
        /// The number of threads that need visibility.
        var count = 0
    }

    private static let visibility = AdaptiveMutex(Visibility())

    /// Lets processes of the same account examine this one until `endLook`, because a daemon of the
    /// account has to identify its program.
    ///
    /// A process that reads the memory or starts to trace during this time can continue afterwards.
    /// A program with a raised group stays invisible.
    ///
    /// - Returns: Whether `endLook` is necessary; false for a program that is visible anyway.
    package static func beginLook() -> Bool {
        visibility.withLock { visibility in
            guard visibility.isExcluded, !RaisedGroup.isHeld else { return false }
            if visibility.count == 0, process_permit_dump() != 0 { return false }
            visibility.count += 1
            return true
        }
    }

    /// Hides the process again, unless another thread needs visibility.
    package static func endLook() {
        visibility.withLock { visibility in
            visibility.count -= 1
            if visibility.count == 0 { _ = process_forbid_dump() }
        }
    }

    /// Whether other programs of the same user can read the memory of this process.
    package static var isPossible: Bool { process_dump_state() != 0 }

    private static var resource: __rlimit_resource_t {
        __rlimit_resource_t(RLIMIT_CORE.rawValue)
    }
}
