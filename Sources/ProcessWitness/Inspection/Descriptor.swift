import Glibc

@_implementationOnly import CWitness

/// A file descriptor that closes itself.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Opens a file to look at it, without the right to read it.
    static var pathOnly: Int32 { witness_path_only }

    /// Takes over a descriptor that a call returned; nil for a negative number.
    package init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    /// Hands the descriptor over: whoever gets the number closes it.
    package consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
