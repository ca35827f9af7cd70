import Glibc

/// Bytes that cannot be copied by accident, swapped to disk, dumped or forgotten.
///
/// The bytes are in a `SecretArena` slot, and are overwritten with zeros at the end of the value's
/// life. A value without bytes is valid and holds no slot. No conformance can leak the content:
/// comparison takes constant time, and only functions with a telling name copy it.
package struct Secret: ~Copyable, Sendable {
    /// The number of secret bytes; not itself a secret.
    package let byteCount: Int

    /// The memory of the bytes; nil if there are none.
    private let slot: SecretSlot?

    /// Reserves zeroed memory, and lets the body write the bytes in place.
    ///
    /// - Parameters:
    ///   - byteCount: The exact size; at least 0.
    ///   - body: Receives `byteCount` zero bytes. If it throws, they are wiped and released.
    /// - Throws: The error of the body.
    package init<E>(
        byteCount: Int,
        initializingWith body: (UnsafeMutableRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        precondition(byteCount >= 0, "A secret cannot have fewer than zero bytes.")
        guard byteCount > 0 else {
            try body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            self.byteCount = 0
            self.slot = nil
            return
        }
        let slot = SecretArena.shared.allocate(byteCount: byteCount)
        do throws(E) {
            try body(slot.bytes(count: byteCount))
        } catch {
            SecretArena.shared.release(slot, usedByteCount: byteCount)
            throw error
        }
        self.byteCount = byteCount
        self.slot = slot
    }

    deinit {
        if let slot {
            SecretArena.shared.release(slot, usedByteCount: byteCount)
        }
    }

    /// The size only, for messages and logs.
    package var description: String { "Secret(\(byteCount) bytes)" }

    /// Lends the bytes for the length of one call; the pointer must not escape it.
    ///
    /// - Parameter body: Receives `byteCount` bytes; the base address is nil if there are none.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body.
    package borrowing func withUnsafeBytes<R: ~Copyable, E>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        guard let slot else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try body(UnsafeRawBufferPointer(slot.bytes(count: byteCount)))
    }
}

extension Secret {
    /// Copies bytes that their owner has to wipe.
    ///
    /// - Parameter bytes: Any number of bytes, also none.
    package init(copying bytes: UnsafeRawBufferPointer) {
        self.init(byteCount: bytes.count) { target in target.copyMemory(from: bytes) }
    }

    /// Copies bytes from a collection, whose own memory is not wiped.
    ///
    /// - Parameter bytes: Any number of bytes, also none.
    package init(copying bytes: some Collection<UInt8>) {
        self.init(byteCount: bytes.count) { target in target.copyBytes(from: bytes) }
    }

    /// Joins two secrets, with the bytes of the first one in front.
    ///
    /// - Parameters:
    ///   - first: The leading bytes; may be empty.
    ///   - second: The trailing bytes; may be empty.
    package init(concatenating first: borrowing Secret, _ second: borrowing Secret) {
        let split = first.byteCount
        self.init(byteCount: split + second.byteCount) { target in
            first.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[..<split]).copyMemory(from: source)
            }
            second.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[split...]).copyMemory(from: source)
            }
        }
    }

    /// Returns a second value with the same bytes; each wipes its own.
    package borrowing func duplicate() -> Secret {
        withUnsafeBytes { bytes in Secret(copying: bytes) }
    }

    /// Copies the bytes into ordinary memory, which is not wiped.
    package borrowing func copyBytesUnprotected() -> [UInt8] {
        withUnsafeBytes { bytes in [UInt8](bytes) }
    }

    /// Returns whether both contain the same bytes, in time that depends only on the sizes.
    package borrowing func constantTimeEquals(_ other: borrowing Secret) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in accumulatedDifference(mine, theirs) == 0 }
        }
    }
}
