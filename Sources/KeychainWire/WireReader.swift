import Secrets

/// A reader of a message that verifies every size and number in it.
///
/// The bytes have to stay in place while the reader is used.
struct WireReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var depth = 0
    private var budget: WireLimit.Budget

    init(_ bytes: UnsafeRawBufferPointer, from side: WireSide) {
        self.bytes = bytes
        self.budget = side.budget
    }

    /// The number of bytes that are left.
    var left: Int { bytes.count - offset }

    /// Returns the next bytes, without copying them.
    @inline(__always)
    mutating func take(byteCount: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard byteCount <= left else { throw .truncated }
        defer { offset += byteCount }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount])
    }

    /// Reads a big-endian number.
    @inline(__always)
    mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(WireError) -> Number {
        let byteCount = MemoryLayout<Number>.size
        guard byteCount <= left else { throw .truncated }
        defer { offset += byteCount }
        return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Returns the next byte without taking it.
    func peek() throws(WireError) -> UInt8 {
        guard left > 0 else { throw .truncated }
        return bytes[offset]
    }

    /// Reads a size and returns that number of bytes.
    @inline(__always)
    mutating func sized() throws(WireError) -> UnsafeRawBufferPointer {
        let size: UInt32 = try integer()
        guard size <= left else { throw .truncated }
        return try take(byteCount: Int(size))
    }

    /// Reads the number of the elements that follow, and accepts it only if enough bytes are left.
    mutating func elementCount(
        _ limit: Int,
        leastByteCount: Int
    ) throws(WireError) -> Int {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw .limitExceeded("number of elements") }
        guard count <= left / leastByteCount else { throw .truncated }
        if let error = budget.takeValues(count) { throw error }
        return count
    }

    /// Reads a secret, straight into memory of its own.
    mutating func secret() throws(WireError) -> SharedSecret {
        let bytes = try sized()
        if let error = budget.takeSecret(byteCount: bytes.count) { throw error }
        return SharedSecret(Secret(copying: bytes))
    }

    /// Enters a value that can be nested in others of its kind; `ascend` has to follow.
    mutating func descend() throws(WireError) {
        guard depth < WireLimit.depth else { throw .limitExceeded("depth") }
        depth += 1
    }

    mutating func ascend() { depth -= 1 }

    /// Ends the message.
    func end() throws(WireError) {
        guard left == 0 else { throw .trailingBytes }
    }
}
