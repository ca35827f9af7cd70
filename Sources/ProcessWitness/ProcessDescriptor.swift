import Glibc
import KeychainSockets

@_implementationOnly import CWitness

/// Descriptors of processes (pidfds), which never refer to another process.
package enum ProcessDescriptor {
    /// Opens the process with a number; nil if there is none.
    ///
    /// The number may belong to another process by then. Compare the process's start time before
    /// and after.
    package static func open(_ process: Int32) -> Descriptor? {
        Descriptor(opened: witness_open_process(process))
    }

    /// Whether the process is alive.
    package static func isAlive(_ process: Int32) -> Bool { witness_is_alive(process) == 1 }
}
