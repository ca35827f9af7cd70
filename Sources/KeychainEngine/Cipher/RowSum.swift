import KeychainModel

// Invariants   (1) Order does not matter: who adds and takes away the same entries has one sum.
//              (2) What was added and taken away again leaves nothing.

/// The sum of the entries of rows, modulo 2^256, and how many rows they are.
///
/// Also a difference of two such sums, whose count may be below 0.
/// - Source: Documentation/Spec/store.md §6.
struct RowSum: Sendable, Hashable {
    static let byteCount = entryByteCount + 8
    private static let entryByteCount = 32

    /// The total, lowest word first.
    private var words = SIMD4<UInt64>()
    private(set) var count: Int64 = 0

    /// Of no rows.
    init() {}

    /// Of one row; of its entry the first 32 bytes count, lowest first.
    init(entry: some Collection<UInt8>) {
        words = Self.words(of: entry)
        count = 1
    }

    mutating func add(_ other: RowSum) {
        var carry: UInt64 = 0
        for place in 0..<4 {
            let (sum, overflow) = words[place].addingReportingOverflow(other.words[place])
            let (total, again) = sum.addingReportingOverflow(carry)
            words[place] = total
            carry = overflow || again ? 1 : 0
        }
        count &+= other.count
    }

    mutating func subtract(_ other: RowSum) {
        var borrow: UInt64 = 0
        for place in 0..<4 {
            let (rest, overflow) = words[place].subtractingReportingOverflow(other.words[place])
            let (total, again) = rest.subtractingReportingOverflow(borrow)
            words[place] = total
            borrow = overflow || again ? 1 : 0
        }
        count &-= other.count
    }
}

extension RowSum {
    /// The total (32 bytes), then the count (8 bytes), lowest byte first.
    var encoded: [UInt8] {
        let numbers = [words[0], words[1], words[2], words[3], UInt64(bitPattern: count)]
        return numbers.flatMap(Coercion.littleEndian)
    }

    /// Reads `encoded`; nil for any other number of bytes.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Self.words(of: bytes)
        count = Int64(bitPattern: Self.words(of: bytes.dropFirst(Self.entryByteCount))[0])
    }

    private static func words(of bytes: some Collection<UInt8>) -> SIMD4<UInt64> {
        var words = SIMD4<UInt64>()
        for (place, byte) in bytes.prefix(entryByteCount).enumerated() {
            words[place / 8] |= UInt64(byte) << (place % 8 * 8)
        }
        return words
    }
}
