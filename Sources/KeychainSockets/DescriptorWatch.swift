import Glibc

@_implementationOnly import CSocket

/// Descriptors that one thread waits for, however many they are.
///
/// - Source: epoll(7).
package struct DescriptorWatch: ~Copyable, Sendable {
    private let set: Descriptor
    /// How many are told of at a time.
    private static let portion = 64

    /// - Throws: `SocketError` where the process has no descriptors left.
    package init() throws(SocketError) {
        let number = watch_make()
        guard number >= 0 else { throw .last("epoll_create1") }
        set = Descriptor(number)
    }

    /// Tells once when something arrives at a descriptor, or it ends; at once if it has.
    ///
    /// - Parameters:
    ///   - descriptor: Stays open until it is removed.
    ///   - key: What `wait` returns for it.
    /// - Throws: `SocketError`.
    package borrowing func add(_ descriptor: Int32, key: UInt64) throws(SocketError) {
        guard watch_add(set.number, descriptor, key) == 0 else { throw .last("epoll_ctl") }
    }

    /// Tells of a descriptor no more.
    package borrowing func remove(_ descriptor: Int32) { _ = watch_remove(set.number, descriptor) }

    /// Waits until there is something to tell.
    ///
    /// - Returns: The keys, some of which may have been removed meanwhile.
    package borrowing func wait() -> [UInt64] {
        var keys = [UInt64](repeating: 0, count: Self.portion)
        let count = watch_wait(set.number, &keys, Int32(Self.portion))
        return Array(keys.prefix(max(0, Int(count))))
    }
}
