/// A reader of the fixed fields of a file, big-endian, which throws at a premature end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>
    private let fault: (String) -> DeviceError

    /// Starts at the first byte.
    ///
    /// - Parameters:
    ///   - bytes: The whole file or a part of it.
    ///   - fault: Creates an error from the reason.
    init(_ bytes: ArraySlice<UInt8>, fault: @escaping (String) -> DeviceError) {
        self.rest = bytes
        self.fault = fault
    }

    /// Reads the next bytes.
    mutating func bytes(_ count: Int) throws(DeviceError) -> [UInt8] {
        guard rest.count >= count else { throw fault("it ends too early") }
        defer { rest = rest.dropFirst(count) }
        return [UInt8](rest.prefix(count))
    }

    /// Reads the next integer.
    mutating func integer<I: FixedWidthInteger & UnsignedInteger>(
        _ type: I.Type
    ) throws(DeviceError) -> I {
        try bytes(I.bitWidth / 8).reduce(0) { value, byte in value << 8 | I(byte) }
    }

    /// Reads a duration in whole nanoseconds.
    mutating func duration() throws(DeviceError) -> Duration {
        .nanoseconds(Int64(clamping: try integer(UInt64.self)))
    }

    /// Reads bytes, and throws unless they are the expected ones.
    mutating func expect(_ expected: [UInt8], else reason: String) throws(DeviceError) {
        guard try bytes(expected.count) == expected else { throw fault(reason) }
    }

    /// Throws if any bytes are left.
    func finish() throws(DeviceError) {
        guard rest.isEmpty else { throw fault("it has bytes after its end") }
    }
}

extension [UInt8] {
    /// Appends an integer, big-endian.
    mutating func append<I: FixedWidthInteger & UnsignedInteger>(integer: I) {
        for shift in stride(from: I.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: integer >> I(shift)))
        }
    }

    /// Appends a duration in whole nanoseconds, at least 0 and at most 584 years.
    mutating func append(duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(
            by: 1_000_000_000
        )
        let nanoseconds = UInt64(clamping: attoseconds / 1_000_000_000)
        append(integer: overflow ? UInt64.max : scaled &+ nanoseconds)
    }
}
