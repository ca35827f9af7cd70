import Glibc

@_implementationOnly import CSocket

/// A signal that wakes polling threads, and stays set.
package struct WakeSignal: ~Copyable, Sendable {
    package let descriptor: Descriptor

    /// - Throws: `SocketError` if the process has too many descriptors.
    package init() throws(SocketError) {
        let number = event_make()
        guard number >= 0 else { throw .last("eventfd") }
        descriptor = Descriptor(number)
    }

    /// Wakes every thread that polls it, now or later.
    package borrowing func give() {
        var one: UInt64 = 1
        // It fails only if the signal is already set.
        _ = write(descriptor.number, &one, 8)
    }
}
