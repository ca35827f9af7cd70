import KeychainMessages
import KeychainModel

// What the caller of synchronization keeps: the store does not know what it means.
//
// Source: Documentation/Spec/sync.md §8.
extension ItemStore {
    /// The records whose key begins so and comes after another, in the order of their keys, as many
    /// as one reply takes.
    ///
    /// - Returns: The records, and whether there are no more.
    /// - Throws: What SQLite reports.
    package borrowing func syncRecords(
        prefix: [UInt8],
        after key: [UInt8]?
    ) throws(KeychainError) -> (records: [SyncRecord], isLast: Bool) {
        let text = """
            SELECT key, value FROM sync_records WHERE key >= ? AND key > ? ORDER BY key
            """
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(prefix, on: connection)
        // No key is empty, so that every key comes after no bytes.
        try statement.bind(key ?? [], on: connection)
        var records: [SyncRecord] = []
        var byteCount = 0
        while try statement.step(on: connection) {
            let key = statement.bytes(at: 0) ?? []
            let record = SyncRecord(key: key, value: statement.bytes(at: 1))
            guard record.key.starts(with: prefix) else { break }
            byteCount += record.byteCount
            let isFull =
                records.count == SyncLimit.recordCount || byteCount > SyncLimit.recordsByteCount
            if isFull, !records.isEmpty { return (records, false) }
            records.append(record)
        }
        return (records, true)
    }

    /// Keeps a record, or removes it; in a write transaction.
    package borrowing func keep(_ record: SyncRecord) throws(KeychainError) {
        guard let value = record.value else {
            let statement = try statement("DELETE FROM sync_records WHERE key = ?")
            try statement.bind(record.key, on: connection)
            return try statement.run(on: connection)
        }
        let text = "INSERT OR REPLACE INTO sync_records (key, value) VALUES (?, ?)"
        let statement = try statement(text)
        try statement.bind(record.key, on: connection)
        try statement.bind(value, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
    }

    /// Removes all records; in a write transaction.
    package borrowing func removeSyncRecords() throws(KeychainError) {
        try statement("DELETE FROM sync_records").run(on: connection)
    }
}

extension SyncRecord {
    /// The bytes of key and value.
    var byteCount: Int { key.count + (value?.count ?? 0) }

    /// Whether key and value have sizes that are kept.
    var isWellFormed: Bool {
        (1...SyncLimit.recordKeyByteCount).contains(key.count)
            && (value?.count ?? 0) <= SyncLimit.recordByteCount
    }
}
