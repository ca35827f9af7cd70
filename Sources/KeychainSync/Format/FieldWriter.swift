import Secrets

/// Writes big-endian fields one after the other.
///
/// It copies secrets once, into memory that is wiped.
package struct FieldWriter {
    private enum Part {
        case open([UInt8])
        case secret(SharedSecret)
    }

    private var parts: [Part] = []
    private var open: [UInt8] = []
    package private(set) var byteCount = 0

    package init() {}

    /// Appends bytes unchanged.
    package mutating func append(_ bytes: some Collection<UInt8>) {
        open += bytes
        byteCount += bytes.count
    }

    /// Appends an integer, big-endian.
    package mutating func append<I: FixedWidthInteger & UnsignedInteger>(_ number: I) {
        open.append(integer: number)
        byteCount += I.bitWidth / 8
    }

    /// Appends a byte that is 0 or 1.
    package mutating func append(_ flag: Bool) { append(flag ? 1 : 0 as UInt8) }

    /// Appends the bytes of a name.
    package mutating func append(_ name: some SyncName) { append(name.bytes) }

    /// Appends a count of 2 or 4 bytes, then the bytes.
    package mutating func append<I: FixedWidthInteger & UnsignedInteger>(
        _ bytes: some Collection<UInt8>,
        countedBy type: I.Type
    ) throws(SyncError) {
        guard let count = I(exactly: bytes.count) else { throw .tooLarge }
        append(count)
        append(bytes)
    }

    /// Appends the bytes of a secret.
    package mutating func append(_ secret: SharedSecret) {
        parts.append(.open(open))
        parts.append(.secret(secret))
        open = []
        byteCount += secret.secret.byteCount
    }

    /// Returns all fields, filled with zeros to at least `count` bytes.
    package consuming func secret(filledTo count: Int) -> Secret {
        let parts = parts + [.open(open)]
        return Secret(byteCount: max(count, byteCount)) { buffer in
            var position = 0
            for part in parts {
                switch part {
                case .open(let bytes): position += buffer.write(bytes, at: position)
                case .secret(let secret):
                    position += secret.secret.withUnsafeBytes { buffer.write($0, at: position) }
                }
            }
            for place in position..<buffer.count { buffer[place] = 0 }
        }
    }

    /// Returns all fields; it is a programming error if one was secret.
    package consuming func bytes() -> [UInt8] {
        precondition(parts.isEmpty, "secrets belong into wiped memory")
        return open
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies bytes to a position, and returns their number.
    fileprivate func write(_ bytes: some Collection<UInt8>, at position: Int) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: self[position...]).copyBytes(from: bytes)
        return bytes.count
    }
}

extension [UInt8] {
    /// Appends an integer, big-endian.
    mutating func append<I: FixedWidthInteger & UnsignedInteger>(integer: I) {
        for shift in stride(from: I.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: integer >> I(shift)))
        }
    }
}

/// The sizes to which plaintexts are filled, so that a relay learns less about their content.
///
/// - Source: Documentation/Spec/sync.md §4.1.
enum SizeBucket {
    static let small = [256, 1024, 4096, 16384, 65536]
    static let step = 65536

    /// Returns the smallest size that holds this many bytes.
    static func byteCount(for count: Int) -> Int {
        small.first { $0 >= count } ?? (count + step - 1) / step * step
    }
}
