import Glibc

@_implementationOnly import CSocket

/// A set of any number of descriptors that one thread waits for.
///
/// - Source: epoll(7).
package struct DescriptorWatch: ~Copyable, Sendable {
    private let set: Descriptor
    /// The largest number of keys that one wait returns.
    private static let portion = 64

    /// - Throws: `SocketError` if the process has no descriptors left.
    package init() throws(SocketError) {
        let number = watch_make()
        guard number >= 0 else { throw .last("epoll_create1") }
        set = Descriptor(number)
    }

    /// Reports a descriptor once when bytes arrive or it ends; at once if that has happened
    /// already.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which stays open until it is removed.
    ///   - key: The key that `wait` returns for it.
    /// - Throws: `SocketError`.
    package borrowing func add(_ descriptor: Int32, key: UInt64) throws(SocketError) {
        guard watch_add(set.number, descriptor, key) == 0 else { throw .last("epoll_ctl") }
    }

    /// Stops reporting a descriptor.
    package borrowing func remove(_ descriptor: Int32) { _ = watch_remove(set.number, descriptor) }

    /// Waits until there is a descriptor to report.
    ///
    /// - Returns: The keys, some of which may have been removed meanwhile.
    package borrowing func wait() -> [UInt64] {
        var keys = [UInt64](repeating: 0, count: Self.portion)
        let count = watch_wait(set.number, &keys, Int32(Self.portion))
        return Array(keys.prefix(max(0, Int(count))))
    }
}
