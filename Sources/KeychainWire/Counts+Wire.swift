import KeychainModel

// Numbers by case or name: each key once, in ascending order.
extension WireBuffer {
    /// Numbers by the cases of an enum, in the order of the cases' numbers.
    mutating func put<Key: WireNumbered & Hashable>(counts: [Key: Int]) {
        let rows = Key.numbers.rows.sorted { $0.number < $1.number }
            .compactMap { row in counts[row.value].map { (row.value, $0) } }
        guard rows.count == counts.count else {
            return refuse(.unknownValue(Key.numbers.meaning))
        }
        guard put(elementCount: rows.count, WireLimit.entries) else { return }
        for (key, count) in rows {
            put(key)
            put(count: count)
        }
    }

    /// Numbers by names, in the order of the names' bytes.
    mutating func put(counts: [String: Int]) {
        guard put(elementCount: counts.count, WireLimit.elements) else { return }
        let rows = counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (name, count) in rows {
            put(name)
            put(count: count)
        }
    }
}

extension WireReader {
    mutating func counts<Key: WireNumbered & Hashable>() throws(WireError) -> [Key: Int] {
        let rowCount = try elementCount(WireLimit.entries, leastByteCount: 9)
        var counts: [Key: Int] = [:]
        var last: UInt8?
        for _ in 0..<rowCount {
            let number: UInt8 = try peek()
            guard last.map({ $0 < number }) ?? true else { throw .invalidValue("order of counts") }
            last = number
            let key: Key = try take()
            counts[key] = try count()
        }
        return counts
    }

    mutating func counts() throws(WireError) -> [String: Int] {
        let rowCount = try elementCount(WireLimit.elements, leastByteCount: 12)
        var counts: [String: Int] = [:]
        var last: UnsafeRawBufferPointer?
        for _ in 0..<rowCount {
            let name = try sized()
            if let last, !last.precedes(name) { throw .invalidValue("order of counts") }
            last = name
            counts[try String(validating: name)] = try count()
        }
        guard counts.count == rowCount else { throw .invalidValue("name that occurs twice") }
        return counts
    }
}

extension WireBuffer {
    /// Writes a count that may be unknown.
    mutating func put(optionalCount count: Int?) {
        put(count != nil)
        if let count { put(count: count) }
    }
}

extension WireReader {
    mutating func optionalCount() throws(WireError) -> Int? {
        try take(Bool.self) ? try count() : nil
    }
}
