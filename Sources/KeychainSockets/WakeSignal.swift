import Glibc

@_implementationOnly import CSocket

/// Wakes threads that poll: once it is given, it stays.
package struct WakeSignal: ~Copyable, Sendable {
    package let descriptor: Descriptor

    /// - Throws: `SocketError` where the process has too many descriptors.
    package init() throws(SocketError) {
        let number = event_make()
        guard number >= 0 else { throw .last("eventfd") }
        descriptor = Descriptor(number)
    }

    /// Wakes everybody who polls it, now or later.
    package borrowing func give() {
        var one: UInt64 = 1
        // It fails only when it was given before.
        _ = write(descriptor.number, &one, 8)
    }
}
