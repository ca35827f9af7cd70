/// The pairs of a generic password: names and values, by each of which searches find it.
///
/// The Secret Service gives its items such a dictionary. Texts are compared by their bytes.
///
/// ```swift
/// let pairs = try LookupPairs(["xdg:schema": "org.example.Password", "user": "anna"])
/// query[.lookupPairs] = .data(pairs.encoded)
/// ```
/// - Source: Documentation/Spec/item.md §10.
package struct LookupPairs: Sendable, Hashable {
    /// The most pairs of an item.
    package static let countLimit = 512
    /// The most bytes of all pairs, including their byte counts.
    package static let byteLimit = 65_536

    /// A name and its value, both UTF-8.
    package struct Pair: Sendable, Hashable {
        /// At least one byte.
        package let name: [UInt8]
        /// May be empty.
        package let value: [UInt8]
    }

    /// The pairs, sorted by the bytes of their names; empty for no pairs.
    ///
    /// Each pair consists of byte count (2, little-endian), name, byte count (2) and value.
    package let encoded: [UInt8]

    /// Creates an empty list, which every search matches.
    package init() { encoded = [] }

    /// - Parameter pairs: The values by their names.
    /// - Throws: `errSecParam` for an empty name, more than ``countLimit`` pairs, or more than
    ///   ``byteLimit`` bytes.
    package init(_ pairs: [String: String]) throws(KeychainError) {
        guard pairs[""] == nil else {
            throw KeychainError(.param, "an attribute of an item has no name")
        }
        guard pairs.count <= Self.countLimit else {
            let reason = "an item has \(pairs.count) attributes; the limit is \(Self.countLimit)"
            throw KeychainError(.param, reason)
        }
        let byteCount = pairs.reduce(0) { $0 + 4 + $1.key.utf8.count + $1.value.utf8.count }
        guard byteCount <= Self.byteLimit else {
            let reason = "the attributes have \(byteCount) bytes; the limit is \(Self.byteLimit)"
            throw KeychainError(.param, reason)
        }
        let sorted = pairs.map { Pair(name: Array($0.key.utf8), value: Array($0.value.utf8)) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for pair in sorted {
            for part in [pair.name, pair.value] {
                bytes += Coercion.littleEndian(UInt16(clamping: part.count))
                bytes += part
            }
        }
        encoded = bytes
    }

    /// Parses the bytes of ``encoded``.
    ///
    /// - Returns: nil for any other bytes, and for two names that are the same text in different
    ///   bytes.
    package init?(encoded: [UInt8]) {
        guard encoded.count <= Self.byteLimit else { return nil }
        var reader = PairReader(encoded)
        var count = 0
        var last: ArraySlice<UInt8> = []
        var isASCII = true
        while let pair = reader.next() {
            count += 1
            guard last.lexicographicallyPrecedes(pair.name), pair.isText else { return nil }
            isASCII = isASCII && pair.name.isASCII
            last = pair.name
        }
        guard reader.isAtEnd, count <= Self.countLimit else { return nil }
        self.encoded = encoded
        // Different ASCII names are never the same text.
        guard isASCII || pairs.count == count else { return nil }
    }

    /// The pairs, sorted by the bytes of their names.
    package var list: [Pair] {
        var reader = PairReader(encoded)
        var pairs: [Pair] = []
        while let pair = reader.next() {
            pairs.append(Pair(name: Array(pair.name), value: Array(pair.value)))
        }
        return pairs
    }

    /// The values by their names.
    package var pairs: [String: String] {
        let texts = list.map { pair in
            let value = String(decoding: pair.value, as: UTF8.self)
            return (String(decoding: pair.name, as: UTF8.self), value)
        }
        return Dictionary(texts, uniquingKeysWith: { $1 })
    }

    package var isEmpty: Bool { encoded.isEmpty }

    /// Whether all pairs of another list are in this one, with the same bytes.
    package func contains(_ others: LookupPairs) -> Bool {
        var (own, wanted) = (PairReader(encoded), PairReader(others.encoded))
        while let pair = wanted.next() {
            // Both are sorted, so each pair is read once.
            var next = own.next()
            while let found = next, found.name != pair.name { next = own.next() }
            guard next?.value == pair.value else { return false }
        }
        return true
    }
}

/// A reader of the bytes of pairs.
private struct PairReader {
    struct Pair {
        let name: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>

        var isText: Bool { name.isText && value.isText }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next pair; nil, without advancing, if the bytes are malformed.
    mutating func next() -> Pair? {
        let before = rest
        guard let name = part(), let value = part() else {
            rest = before
            return nil
        }
        return Pair(name: name, value: value)
    }

    private mutating func part() -> ArraySlice<UInt8>? {
        guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        let count = Int(low) | Int(high) << 8
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 0x80 } }

    fileprivate var isText: Bool { isASCII || String(validating: self, as: UTF8.self) != nil }
}
