import KeychainModel

// The keys of handles; calls on items read none of them.
//
// Source: Documentation/Spec/store.md §2; item.md §8.
extension ItemStore {
    /// Returns the handle key of a class in a key set; nil if there is none.
    package borrowing func handleKey(
        of protection: ProtectionClass,
        in keySet: [UInt8]
    ) throws(KeychainError) -> HandleKeyRow? {
        let text = "SELECT sealed FROM handle_keys WHERE key_set = ? AND class = ?"
        let statement = try statement(text)
        defer { statement.reset() }
        try statement.bind(keySet, on: connection)
        try statement.bind(Int64(protection.rawValue), on: connection)
        guard try statement.step(on: connection) else { return nil }
        return HandleKeyRow(
            keySet: keySet,
            protection: protection,
            sealed: statement.bytes(at: 0) ?? []
        )
    }

    /// Returns all handle keys; skips rows with an invalid class.
    package borrowing func handleKeys() throws(KeychainError) -> [HandleKeyRow] {
        let statement = try statement("SELECT key_set, class, sealed FROM handle_keys")
        defer { statement.reset() }
        var rows: [HandleKeyRow] = []
        while try statement.step(on: connection) {
            guard let number = UInt8(exactly: statement.number(at: 1)),
                let protection = ProtectionClass(rawValue: number)
            else { continue }
            rows.append(
                HandleKeyRow(
                    keySet: statement.bytes(at: 0) ?? [],
                    protection: protection,
                    sealed: statement.bytes(at: 2) ?? []
                )
            )
        }
        return rows
    }

    /// Whether a class has a handle key.
    package borrowing func hasHandleKey(
        of protection: ProtectionClass
    ) throws(KeychainError) -> Bool {
        let statement = try statement("SELECT 1 FROM handle_keys WHERE class = ? LIMIT 1")
        defer { statement.reset() }
        try statement.bind(Int64(protection.rawValue), on: connection)
        return try statement.step(on: connection)
    }

    /// Inserts a new handle key.
    package borrowing func insert(_ row: HandleKeyRow) throws(KeychainError) {
        let text = "INSERT INTO handle_keys (sealed, key_set, class) VALUES (?, ?, ?)"
        try write(row, with: text)
    }

    /// Stores a handle key that was rewrapped under another class key.
    package borrowing func rewrap(_ row: HandleKeyRow) throws(KeychainError) {
        try write(row, with: "UPDATE handle_keys SET sealed = ? WHERE key_set = ? AND class = ?")
    }

    private borrowing func write(_ row: HandleKeyRow, with text: String) throws(KeychainError) {
        let statement = try statement(text)
        try statement.bind(row.sealed, on: connection)
        try statement.bind(row.keySet, on: connection)
        try statement.bind(Int64(row.protection.rawValue), on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
    }

    /// Removes the handle keys of a class.
    package borrowing func removeHandleKeys(
        of protection: ProtectionClass
    ) throws(KeychainError) {
        let statement = try statement("DELETE FROM handle_keys WHERE class = ?")
        try statement.bind(Int64(protection.rawValue), on: connection)
        try statement.run(on: connection)
    }
}
