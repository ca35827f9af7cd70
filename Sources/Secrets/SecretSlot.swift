/// A part of the arena's memory on loan to one secret.
///
/// `@unchecked Sendable` is sound because a slot only refers to memory and has one borrower at a
/// time. The arena lends an address again only after `release`, which a secret calls once, from its
/// `deinit`. Until then, the bytes change only inside the secret's initializer.
package struct SecretSlot: @unchecked Sendable {
    /// The first byte of the slot.
    let start: UnsafeMutableRawPointer

    /// The usable size in bytes; at least the requested size.
    package let capacity: Int

    /// Returns the leading bytes of the slot.
    ///
    /// - Parameter count: The number of bytes, at most `capacity`.
    /// - Returns: `count` bytes, valid until the slot is released.
    package func bytes(count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count <= capacity, "A slot cannot lend more bytes than it has.")
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }
}
