import Glibc

@_implementationOnly import CProcess

/// Keeps the memory of this process to itself: out of core files, and from other programs, also
/// when it crashes.
///
/// For our own executables only: a library must not change the program it is in.
package enum CoreDump {
    /// Makes the process not dumpable, and sets the soft limit of its core file size to 0 bytes.
    ///
    /// The limit alone does not do: where `core_pattern` names a handler, the kernel ignores it and
    /// pipes the whole memory to the handler. A process that is not dumpable leaves no core at all,
    /// and other programs of the same user can neither trace it nor read `/proc/<pid>/mem`. A
    /// program that it runs is dumpable again.
    ///
    /// A crash ends the process and starts nothing: Swift's runtime would start its
    /// `swift-backtrace`, which it looks for beside the path that this program was started with,
    /// so in the directory of the moment for a bare name.
    ///
    /// - Returns: Whether the kernel agreed to all of it.
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
        /// How many threads want to be seen.
        var count = 0
    }

    private static let visibility = AdaptiveMutex(Visibility())

    /// Lets processes of the same account look at this one until `endLook`: a daemon of the account
    /// has to see which program it is.
    ///
    /// Whatever looks at the memory in these moments, or begins to trace, goes on afterwards. A
    /// program that has a group of its file stays unseen.
    ///
    /// - Returns: Whether there is anything to be ended; false for a program that can be seen
    ///   anyway.
    package static func beginLook() -> Bool {
        visibility.withLock { visibility in
            guard visibility.isExcluded, !RaisedGroup.isHeld else { return false }
            if visibility.count == 0, process_permit_dump() != 0 { return false }
            visibility.count += 1
            return true
        }
    }

    /// Keeps them away again, unless another thread wants to be seen.
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
