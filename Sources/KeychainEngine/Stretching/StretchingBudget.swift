import Glibc

/// How much stretching goes on at a time, in all and for each person.
///
/// - Source: SECURITY.md, "Resources".
package struct StretchingBudget: Sendable, Equatable {
    /// The memory that is filled, in KiB.
    package var memoryKiB = 320 * 1024
    package var memoryKiBPerPerson = 256 * 1024
    /// The threads that fill it; each is nicer than those that answer.
    package var threads: Int
    package var threadsPerPerson: Int
    /// How many calls of a person may wait for their turn.
    package var waitingPerPerson = 64

    /// The budget of a daemon on this machine.
    package static var ofThisMachine: StretchingBudget {
        StretchingBudget(processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// The budget of a daemon on a machine with so many processors: one thread is always left for
    /// somebody else.
    package init(processors: Int) {
        threads = max(2, processors)
        threadsPerPerson = max(1, threads - 1)
    }
}
