/// A writer of messages between daemon and witness: numbers in little-endian order, texts after
/// their length.
struct WitnessWriter {
    private(set) var bytes: [UInt8]

    /// Starts with the four letters that identify the message and its version.
    init(mark: String) { bytes = Array(mark.utf8) }

    mutating func put(_ number: some FixedWidthInteger & UnsignedInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    /// Appends a text, truncated to the limit.
    mutating func put(_ text: String, limit: Int) {
        var end = text.endIndex
        while text[..<end].utf8.count > limit { end = text.index(before: end) }
        let utf8 = text[..<end].utf8
        put(UInt32(utf8.count))
        bytes += utf8
    }
}

/// A reader of such messages; a read past the end returns nil.
struct WitnessReader {
    private var rest: ArraySlice<UInt8>

    /// Starts after the mark; nil if the mark differs.
    init?(_ bytes: [UInt8], mark: String) {
        guard bytes.starts(with: mark.utf8) else { return nil }
        rest = bytes.dropFirst(mark.utf8.count)
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        let count = Number.bitWidth / 8
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// Reads a text of at most `limit` bytes; nil if the bytes are not text.
    mutating func text(limit: Int) -> String? {
        guard let number: UInt32 = take(), let count = Int(exactly: number), count <= limit,
            rest.count >= count
        else { return nil }
        defer { rest = rest.dropFirst(count) }
        return String(validating: rest.prefix(count), as: UTF8.self)
    }
}
