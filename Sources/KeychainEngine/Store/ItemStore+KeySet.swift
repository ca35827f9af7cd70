import KeychainModel

// The name of the class keys that seal the rows, and rows that move to other class keys.
//
// Source: Documentation/Spec/store.md §2; keybag.md §2, "Changing".
extension ItemStore {
    /// Returns the name of the class keys; nil before the first opening.
    package borrowing func keySet() throws(KeychainError) -> [UInt8]? {
        let statement = try statement("SELECT name FROM key_set WHERE id = 1")
        defer { statement.reset() }
        return try statement.step(on: connection) ? statement.bytes(at: 0) : nil
    }

    /// Stores the name of other class keys.
    package borrowing func replaceKeySet(_ name: [UInt8]) throws(KeychainError) {
        let text = "INSERT OR REPLACE INTO key_set (id, name) VALUES (1, ?)"
        let statement = try statement(text)
        try statement.bind(name, on: connection)
        try statement.run(on: connection)
    }

    /// Replaces the wrapped metadata key of a protection class that has one.
    package borrowing func replaceMetadataKey(
        _ wrapped: [UInt8],
        of protection: ProtectionClass
    ) throws(KeychainError) {
        let statement = try statement("UPDATE metadata_keys SET wrapped = ? WHERE class = ?")
        try statement.bind(wrapped, on: connection)
        try statement.bind(Int64(protection.rawValue), on: connection)
        try statement.run(on: connection)
    }

    /// Returns the number of rows in a protection class, in all item classes, including tombstones.
    package borrowing func rowCount(in protection: ProtectionClass) throws(KeychainError) -> Int {
        var count = 0
        for itemClass in ItemClass.stored {
            let text = "SELECT COUNT(*) FROM \(itemClass.rawValue) WHERE pdmn = ?"
            let statement = try statement(text)
            defer { statement.reset() }
            try statement.bind(Int64(protection.rawValue), on: connection)
            if try statement.step(on: connection) { count += Int(statement.number(at: 0)) }
        }
        return count
    }

    /// Stores the rewrapped halves of a row; its binding stays, and so does the row sum.
    package borrowing func rewrap(_ row: SealedRow) throws(KeychainError) {
        let table = row.item.columns.itemClass.rawValue
        let text = "UPDATE \(table) SET metadata = ?, secret = ? WHERE row = ?"
        let statement = try statement(text)
        try statement.bind(row.item.metadata, on: connection)
        try statement.bind(.bytes(row.item.secret), on: connection)
        try statement.bind(row.row, on: connection)
        try statement.run(on: connection)
    }
}
