import Glibc

/// The limits of simultaneous stretching, in total and for each account.
///
/// - Source: SECURITY.md, "Resources".
package struct StretchingBudget: Sendable, Equatable {
    /// The total memory that stretching may use, in KiB.
    package var memoryKiB = 320 * 1024
    package var memoryKiBPerPerson = 256 * 1024
    /// The total number of threads; each is nicer than the threads that answer calls.
    package var threads: Int
    package var threadsPerPerson: Int
    /// The number of calls of one account that may wait for their turn.
    package var waitingPerPerson = 64

    /// The budget of a daemon on this machine.
    package static var ofThisMachine: StretchingBudget {
        StretchingBudget(processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// Creates the budget of a daemon on a machine with a number of processors.
    ///
    /// One account never gets all threads, so that another account finds one free.
    package init(processors: Int) {
        threads = max(2, processors)
        threadsPerPerson = max(1, threads - 1)
    }
}
