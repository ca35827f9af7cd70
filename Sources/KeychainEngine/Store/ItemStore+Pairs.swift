import KeychainModel

// The digests of pairs, one row for each, by which searches find generic passwords.
//
// Source: Documentation/Spec/store.md §8.
extension ItemStore {
    private static let table = StoreSchema.pairTable

    /// Stores these digests of a row, and removes its others; writes nothing if they are the same.
    borrowing func keepPairs(_ digests: [[UInt8]], of row: Int64) throws(KeychainError) {
        let known = try pairs(of: row)
        guard known.count != digests.count || Set(known) != Set(digests) else { return }
        if !known.isEmpty { try removePairs(of: row) }
        for digest in digests {
            // A stray digest may have been planted for this row number before the row existed.
            let text = "INSERT OR IGNORE INTO \(Self.table) (digest, row) VALUES (?, ?)"
            let statement = try statement(text)
            try statement.bind(digest, on: connection)
            try statement.bind(row, on: connection)
            try statement.run(on: connection)
        }
    }

    /// Removes all digests of a row.
    borrowing func removePairs(of row: Int64) throws(KeychainError) {
        let statement = try statement("DELETE FROM \(Self.table) WHERE row = ?")
        try statement.bind(row, on: connection)
        try statement.run(on: connection)
    }

    /// Removes the digests of all rows in a protection class.
    borrowing func removePairs(in protection: ProtectionClass) throws(KeychainError) {
        let rows = "SELECT row FROM \(ItemClass.genericPassword.rawValue) WHERE pdmn = ?"
        let statement = try statement("DELETE FROM \(Self.table) WHERE row IN (\(rows))")
        try statement.bind(Int64(protection.rawValue), on: connection)
        try statement.run(on: connection)
    }

    /// Returns the digests of a row, unordered.
    borrowing func pairs(of row: Int64) throws(KeychainError) -> [[UInt8]] {
        let statement = try statement("SELECT digest FROM \(Self.table) WHERE row = ?")
        defer { statement.reset() }
        try statement.bind(row, on: connection)
        var digests: [[UInt8]] = []
        while try statement.step(on: connection) { digests.append(statement.bytes(at: 0) ?? []) }
        return digests
    }

    /// Returns the number of digests whose row does not exist.
    borrowing func strayPairCount() throws(KeychainError) -> Int {
        let rows = "SELECT row FROM \(ItemClass.genericPassword.rawValue)"
        let text = "SELECT COUNT(*) FROM \(Self.table) WHERE row NOT IN (\(rows))"
        let statement = try statement(text)
        defer { statement.reset() }
        return try statement.step(on: connection) ? Int(statement.number(at: 0)) : 0
    }

    /// Returns the first row of a list, from a row number on.
    borrowing func firstRow(
        in list: PairWalk.RowList,
        from row: Int64
    ) throws(KeychainError) -> Int64? {
        let statement = try statement(Self.text(of: list))
        defer { statement.reset() }
        for digest in list.digests { try statement.bind(digest, on: connection) }
        try statement.bind(row, on: connection)
        return try statement.step(on: connection) ? statement.number(at: 0) : nil
    }

    private static let pairText = """
        SELECT row FROM \(table) WHERE digest = ? AND row >= ? ORDER BY row LIMIT 1
        """

    /// Returns the query for the first row of a list, with `?` for its digests and the number.
    static func text(of list: PairWalk.RowList) -> String {
        guard case .index(let columns) = list else { return pairText }
        let attributes = columns.map(\.attribute)
        let table = ItemClass.genericPassword.rawValue
        let index = StoreSchema.indexName(of: table, attributes)
        let terms = attributes.map { "\(StoreSchema.column($0)) = ?" }.joined(separator: " AND ")
        return """
            SELECT row FROM \(table) INDEXED BY \(index) WHERE \(terms) AND row >= ?
                ORDER BY row LIMIT 1
            """
    }
}
