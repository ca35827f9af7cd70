import KeychainModel

// Invariants   (1) The order of additions and subtractions does not matter.
//              (2) Subtracting an entry undoes its addition.

/// The sum of the entries of rows, modulo 2^256, with the number of rows.
///
/// It can also be the difference of two such sums; its count may then be negative.
/// - Source: Documentation/Spec/store.md §6.
struct RowSum: Sendable, Hashable {
    static let byteCount = entryByteCount + 8
    private static let entryByteCount = 32

    private var low: UInt128 = 0
    private var high: UInt128 = 0
    private(set) var count: Int64 = 0

    /// Creates the sum of no rows.
    init() {}

    /// Creates the sum of one row with a little-endian entry of 32 bytes; nil for any other length.
    init?(entry: [UInt8]) {
        guard entry.count == Self.entryByteCount else { return nil }
        (low, high) = Self.halves(of: entry)
        count = 1
    }

    mutating func add(_ other: RowSum) {
        let (sum, isOver) = low.addingReportingOverflow(other.low)
        low = sum
        high = high &+ other.high &+ (isOver ? 1 : 0)
        count &+= other.count
    }

    mutating func subtract(_ other: RowSum) {
        let (rest, isUnder) = low.subtractingReportingOverflow(other.low)
        low = rest
        high = high &- other.high &- (isUnder ? 1 : 0)
        count &-= other.count
    }
}

extension RowSum {
    /// The total (32 bytes), then the count (8 bytes), both little-endian.
    var encoded: [UInt8] {
        Coercion.littleEndian(low) + Coercion.littleEndian(high) + Coercion.littleEndian(count)
    }

    /// Decodes `encoded`; returns nil for any other length.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        (low, high) = Self.halves(of: bytes)
        let number = bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: Self.entryByteCount, as: Int64.self)
        }
        count = Int64(littleEndian: number)
    }

    /// Splits 32 bytes, whose number the caller has checked.
    private static func halves(of bytes: [UInt8]) -> (low: UInt128, high: UInt128) {
        bytes.withUnsafeBytes { bytes in
            let low = bytes.loadUnaligned(as: UInt128.self)
            let high = bytes.loadUnaligned(fromByteOffset: 16, as: UInt128.self)
            return (UInt128(littleEndian: low), UInt128(littleEndian: high))
        }
    }
}
