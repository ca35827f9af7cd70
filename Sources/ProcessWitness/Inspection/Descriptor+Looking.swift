import Glibc
import KeychainSockets

@_implementationOnly import CWitness

extension Descriptor {
    /// Takes over a descriptor that a call returned; nil for a negative number.
    package init?(opened number: Int32) {
        guard number >= 0 else { return nil }
        self.init(number)
    }

    /// Opens a file to look at it, without the right to read it.
    static var pathOnly: Int32 { witness_path_only }

    /// Opens the same file for reading; nil where that is not permitted.
    borrowing func openedForReading() -> Descriptor? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        return Descriptor(opened: open("/proc/self/fd/\(number)", flags))
    }
}
