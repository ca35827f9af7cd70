import Glibc

@_implementationOnly import CSocket

/// An open descriptor with one owner, which closes it.
package struct Descriptor: ~Copyable, Sendable {
    /// The number; valid while the owner lives.
    package let number: Int32

    /// Takes over an open descriptor.
    package init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Passes the descriptor to a caller that closes it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Returns a second descriptor of the same file.
    ///
    /// - Throws: `SocketError` if the process has too many.
    package borrowing func duplicate() throws(SocketError) -> Descriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("fcntl") }
        return Descriptor(copy)
    }
}

extension Descriptor {
    /// Opens a descriptor of a process (pidfd), which can never mean another one.
    ///
    /// - Throws: `SocketError` for a process that has ended.
    /// - Source: pidfd_open(2).
    package static func process(_ processID: Int32) throws(SocketError) -> Descriptor {
        let number = process_descriptor(processID)
        guard number >= 0 else { throw .last("pidfd_open") }
        return Descriptor(number)
    }
}
