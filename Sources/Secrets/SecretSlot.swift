/// A run of arena memory on loan to one secret.
///
/// `@unchecked Sendable` is sound because a slot only names memory and has one borrower at a time:
/// the arena hands an address out again only after `release`, which a secret calls once, from its
/// `deinit`; between the two, the bytes change only inside the secret's initializer.
package struct SecretSlot: @unchecked Sendable {
    /// The first byte of the slot.
    let start: UnsafeMutableRawPointer

    /// The usable size in bytes; at least what was asked for.
    package let capacity: Int

    /// Names the leading bytes of the slot.
    ///
    /// - Parameter count: At most `capacity`.
    /// - Returns: `count` bytes, valid until the slot is released.
    package func bytes(count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count <= capacity, "A slot cannot lend more bytes than it has.")
        return UnsafeMutableRawBufferPointer(start: start, count: count)
    }
}
