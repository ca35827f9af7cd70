import Glibc
import KeychainSockets

@_implementationOnly import CWitness

extension Descriptor {
    /// Takes over a descriptor from a system call; nil for a negative number.
    package init?(opened number: Int32) {
        guard number >= 0 else { return nil }
        self.init(number)
    }

    /// The flag that opens a file for examination, without the right to read it.
    static var pathOnly: Int32 { witness_path_only }

    /// Opens the same file for reading; nil if that is not permitted.
    borrowing func openedForReading() -> Descriptor? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        return Descriptor(opened: open("/proc/self/fd/\(number)", flags))
    }
}
