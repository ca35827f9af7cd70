import Secrets

/// Reads a message from its first byte to its last, and believes nothing that it says.
///
/// The bytes have to stay where they are while the reader is used.
struct WireReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var depth = 0
    private var budget: WireLimit.Budget

    init(_ bytes: UnsafeRawBufferPointer, from side: WireSide) {
        self.bytes = bytes
        self.budget = side.budget
    }

    /// How many bytes are left.
    var left: Int { bytes.count - offset }

    /// The next bytes, where they lie.
    @inline(__always)
    mutating func take(byteCount: Int) throws(WireError) -> UnsafeRawBufferPointer {
        guard byteCount <= left else { throw .truncated }
        defer { offset += byteCount }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount])
    }

    /// A big-endian number.
    @inline(__always)
    mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(WireError) -> Number {
        let byteCount = MemoryLayout<Number>.size
        guard byteCount <= left else { throw .truncated }
        defer { offset += byteCount }
        return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// The next byte, which stays the next.
    func peek() throws(WireError) -> UInt8 {
        guard left > 0 else { throw .truncated }
        return bytes[offset]
    }

    /// The bytes behind their size.
    @inline(__always)
    mutating func sized() throws(WireError) -> UnsafeRawBufferPointer {
        let size: UInt32 = try integer()
        guard size <= left else { throw .truncated }
        return try take(byteCount: Int(size))
    }

    /// The number of elements that follow, believed only as far as bytes are left.
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

    /// A secret, from the message straight into memory of its own.
    mutating func secret() throws(WireError) -> SharedSecret {
        let bytes = try sized()
        if let error = budget.takeSecret(byteCount: bytes.count) { throw error }
        return SharedSecret(Secret(copying: bytes))
    }

    /// Goes into a value that may lie in others of its kind; `ascend` has to follow.
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
