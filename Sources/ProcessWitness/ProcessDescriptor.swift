import Glibc
import KeychainSockets

@_implementationOnly import CWitness

/// Descriptors of processes (pidfds), which never come to mean another process.
package enum ProcessDescriptor {
    /// Opens the process of a number; nil if there is none.
    ///
    /// The number may be another process's by then: compare the time at which it started, before
    /// and after.
    package static func open(_ process: Int32) -> Descriptor? {
        Descriptor(opened: witness_open_process(process))
    }

    /// Whether the process has not ended.
    package static func isAlive(_ process: Int32) -> Bool { witness_is_alive(process) == 1 }
}
