/// The digest columns of a row, in the order of `Schema.digestColumns`.
///
/// They are stored in the form of the associated data, which every read and write of a row needs: a
/// byte count and that many bytes for each column, or a single 0 for an unset one.
/// - Source: Documentation/Spec/item.md §4.
package struct DigestColumns: Sendable, Hashable {
    /// The encodings of all columns, one after the other.
    package private(set) var encoded: [UInt8] = []
    package private(set) var count = 0

    /// Creates an empty list with room for `capacity` columns.
    package init(capacity: Int = 0) { encoded.reserveCapacity(capacity * 17) }

    /// Appends the next column; truncates it after 255 bytes, which no digest reaches.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        count += 1
        guard !bytes.isEmpty else { return encoded.append(0) }
        let kept = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(UInt8.max)))
        encoded.append(UInt8(kept.count))
        encoded.append(contentsOf: kept)
    }

    /// Appends the next column; nil for an unset attribute.
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

    /// The digest of a column; nil for an unset attribute.
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

    /// Returns the range of a column's byte count and bytes.
    private func place(of position: Int) -> Range<Int> {
        var start = 0
        for _ in 0..<position { start += 1 + Int(encoded[start]) }
        return start..<start + 1 + Int(encoded[start])
    }
}
