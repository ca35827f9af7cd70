import Cryptography

/// A name of a fixed number of bytes.
package protocol SyncName: Sendable, Hashable, Comparable {
    /// The byte count of every name of this kind.
    static var byteCount: Int { get }

    var bytes: [UInt8] { get }

    /// Creates a name from `byteCount` bytes, without a check.
    init(unchecked bytes: [UInt8])
}

extension SyncName {
    /// Creates a name; nil if the number of bytes is wrong.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(unchecked: bytes)
    }

    /// A name of zeros, which formats use for "none".
    package static var zeros: Self {
        Self(unchecked: [UInt8](repeating: 0, count: byteCount))
    }

    /// The name in lowercase hexadecimal, two digits a byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a name in lowercase hexadecimal; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = Array("0123456789abcdef".utf8)
        let values = text.utf8.compactMap { digits.firstIndex(of: $0) }
        guard values.count == text.utf8.count, values.count == Self.byteCount * 2 else {
            return nil
        }
        let bytes = stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] << 4 | values[$0 + 1])
        }
        self.init(bytes)
    }
}

/// A name of 16 bytes as two integers that sort like the bytes.
///
/// They are stored inline because names are keys of many tables.
private struct ShortWords: Sendable, Hashable, Comparable {
    private let first: UInt64
    private let second: UInt64

    init(_ bytes: ArraySlice<UInt8>) {
        first = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        second = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    var bytes: [UInt8] {
        [first, second].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) }
        }
    }

    static func < (one: Self, other: Self) -> Bool {
        (one.first, one.second) < (other.first, other.second)
    }
}

/// A name of 32 bytes.
private struct LongWords: Sendable, Hashable, Comparable {
    private let first: ShortWords
    private let second: ShortWords

    init(_ bytes: ArraySlice<UInt8>) {
        first = ShortWords(bytes.prefix(16))
        second = ShortWords(bytes.dropFirst(16))
    }

    var bytes: [UInt8] { first.bytes + second.bytes }

    static func < (one: Self, other: Self) -> Bool {
        (one.first, one.second) < (other.first, other.second)
    }
}

/// The name by which a relay knows a circle; 16 bytes.
package struct AccountName: SyncName {
    package static let byteCount = 16

    private let words: ShortWords

    package var bytes: [UInt8] { words.bytes }

    package init(unchecked bytes: [UInt8]) { words = ShortWords(bytes[...]) }

    package static func < (first: Self, second: Self) -> Bool { first.words < second.words }
}

/// The name of an item: the digest of its primary key; 32 bytes.
package struct ItemName: SyncName {
    package static let byteCount = 32

    private let words: LongWords

    package var bytes: [UInt8] { words.bytes }

    package init(unchecked bytes: [UInt8]) { words = LongWords(bytes[...]) }

    package static func < (first: Self, second: Self) -> Bool { first.words < second.words }
}

/// A SHA-256 digest of an item, an entry or a link; 32 bytes.
package struct SyncDigest: SyncName {
    package static let byteCount = 32

    private let words: LongWords

    package var bytes: [UInt8] { words.bytes }

    package init(unchecked bytes: [UInt8]) { words = LongWords(bytes[...]) }

    package static func < (first: Self, second: Self) -> Bool { first.words < second.words }

    /// Computes the digest of a message.
    package init(of message: [UInt8]) throws(CryptographyError) {
        self.init(unchecked: try Digest.sha256(message))
    }
}
