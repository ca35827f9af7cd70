/// The digest columns of a row, in the order of `Schema.digestColumns`.
///
/// Kept as they stand in the associated data of the sealed halves, which every read and write of a
/// row needs: for each column a byte count and as many bytes, for one that is not set a 0 alone.
/// - Source: Documentation/Spec/item.md §4.
package struct DigestColumns: Sendable, Hashable {
    /// All columns, one after the other.
    package private(set) var encoded: [UInt8] = []
    package private(set) var count = 0

    /// No columns yet, with room for so many.
    package init(capacity: Int = 0) { encoded.reserveCapacity(capacity * 17) }

    /// Adds the next column; more than 255 bytes, which no digest has, are cut.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        count += 1
        guard !bytes.isEmpty else { return encoded.append(0) }
        let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(UInt8.max)))
        encoded.append(UInt8(kept.count))
        encoded.append(contentsOf: kept)
    }

    /// Adds the next column; nil where the attribute is not set.
    package mutating func append(_ digest: [UInt8]?) {
        (digest ?? []).withUnsafeBytes { append($0) }
    }
}

extension DigestColumns: ExpressibleByArrayLiteral {
    package init(arrayLiteral digests: [UInt8]?...) {
        self.init(capacity: digests.count)
        for digest in digests { append(digest) }
    }
}

extension DigestColumns: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    /// A digest; nil where the attribute is not set.
    package subscript(position: Int) -> [UInt8]? {
        get {
            let bytes = encoded[place(of: position)].dropFirst()
            return bytes.isEmpty ? nil : Array(bytes)
        }
        set {
            var column = DigestColumns()
            column.append(newValue)
            encoded.replaceSubrange(place(of: position), with: column.encoded)
        }
    }

    /// Where a column's byte count and bytes are.
    private func place(of position: Int) -> Range<Int> {
        var start = 0
        for _ in 0..<position { start += 1 + Int(encoded[start]) }
        return start..<start + 1 + Int(encoded[start])
    }
}
