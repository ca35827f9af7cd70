import KeychainMessages
import KeychainModel

// The records of synchronization, which are opaque to the store.
//
// Source: Documentation/Spec/sync.md §8.
extension ItemStore {
    /// Returns records by key prefix, in the order of their keys, as many as one reply takes.
    ///
    /// - Returns: The records after `key`, and whether they are the last.
    /// - Throws: The errors of SQLite.
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
        // Every key comes after the empty one, because no key is empty.
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

    /// Stores a record, or removes it if it has no value; needs a write transaction.
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

    /// Removes all records; needs a write transaction.
    package borrowing func removeSyncRecords() throws(KeychainError) {
        try statement("DELETE FROM sync_records").run(on: connection)
    }
}

extension SyncRecord {
    /// The bytes of key and value together.
    var byteCount: Int { key.count + (value?.count ?? 0) }

    /// Whether the sizes of key and value are within the limits.
    var isWellFormed: Bool {
        (1...SyncLimit.recordKeyByteCount).contains(key.count)
            && (value?.count ?? 0) <= SyncLimit.recordByteCount
    }
}
