/// The free attributes of a generic password: names and values, by each of which it is found.
///
/// The Secret Service gives its items such a dictionary. Two are the same if their bytes are.
///
/// ```swift
/// let pairs = try LookupPairs(["xdg:schema": "org.example.Password", "user": "anna"])
/// query[.lookupPairs] = .data(pairs.encoded)
/// ```
/// - Source: Documentation/Spec/item.md §10.
package struct LookupPairs: Sendable, Hashable {
    /// How many pairs an item has at most.
    package static let countLimit = 64
    /// How many bytes they have at most, with their byte counts.
    package static let byteLimit = 8192

    /// A name and its value, both UTF-8.
    package struct Pair: Sendable, Hashable {
        /// At least one byte.
        package let name: [UInt8]
        /// May be empty.
        package let value: [UInt8]
    }

    /// For each pair, in the order of the names' bytes: byte count (2, little-endian), name, byte
    /// count (2), value; no bytes for no pairs.
    package let encoded: [UInt8]

    /// No pairs: found by every search.
    package init() { encoded = [] }

    /// - Parameter pairs: The values by their names.
    /// - Throws: `errSecParam` for an empty name, more than ``countLimit`` pairs and more than
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

    /// Reads what ``encoded`` has.
    ///
    /// - Returns: nil for any other bytes, and for two names that are the same text in other bytes.
    package init?(encoded: [UInt8]) {
        guard encoded.count <= Self.byteLimit, let parts = Self.parts(of: encoded),
            parts.count <= Self.countLimit,
            parts.allSatisfy({ !$0.name.isEmpty && $0.isText }),
            zip(parts, parts.dropFirst()).allSatisfy({
                $0.name.lexicographicallyPrecedes($1.name)
            }),
            Set(parts.map(\.nameText)).count == parts.count
        else { return nil }
        self.encoded = encoded
    }

    /// The pairs in the order of their names' bytes.
    package var list: [Pair] { Self.parts(of: encoded) ?? [] }

    /// The values by their names.
    package var pairs: [String: String] {
        Dictionary(
            list.map { ($0.nameText, String(decoding: $0.value, as: UTF8.self)) },
            uniquingKeysWith: { $1 }
        )
    }

    package var isEmpty: Bool { encoded.isEmpty }

    /// Whether all pairs of another are among these, with the same bytes.
    package func contains(_ others: LookupPairs) -> Bool {
        others.isEmpty || Set(list).isSuperset(of: others.list)
    }
}

extension LookupPairs {
    /// nil for bytes that are not whole pairs, one behind the other.
    private static func parts(of bytes: [UInt8]) -> [Pair]? {
        var rest = bytes[...]
        var pairs: [Pair] = []
        while !rest.isEmpty {
            guard let name = part(of: &rest), let value = part(of: &rest) else { return nil }
            pairs.append(Pair(name: name, value: value))
        }
        return pairs
    }

    private static func part(of rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        let count = Int(low) | Int(high) << 8
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

extension LookupPairs.Pair {
    fileprivate var nameText: String { String(decoding: name, as: UTF8.self) }

    fileprivate var isText: Bool {
        [name, value].allSatisfy { String(validating: $0, as: UTF8.self) != nil }
    }
}
