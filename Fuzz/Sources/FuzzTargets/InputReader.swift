/// Takes an input apart; what is missing at its end counts as zero.
struct InputReader {
    /// What has not been read yet.
    private(set) var rest: ArraySlice<UInt8>

    /// Starts at the first byte.
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Whether every byte has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next 8 bytes as a little-endian number.
    mutating func number() -> UInt64 {
        (0..<8).reduce(0) { number, index in number | UInt64(byte()) << (8 * UInt64(index)) }
    }

    /// At most so many of the next bytes.
    mutating func bytes(atMost count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return [UInt8](rest.prefix(count))
    }
}
