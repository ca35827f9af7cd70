import KeychainModel

// The digests of free attributes, a row for each, by which generic passwords are found.
//
// Source: Documentation/Spec/store.md §8.
extension ItemStore {
    private static let table = StoreSchema.pairTable

    /// Gives a row these digests and no others; what is as it should be is not written.
    borrowing func keepPairs(_ digests: [[UInt8]], of row: Int64) throws(KeychainError) {
        let known = try pairs(of: row)
        guard known.count != digests.count || Set(known) != Set(digests) else { return }
        if !known.isEmpty { try removePairs(of: row) }
        for digest in digests {
            // Ignored is what somebody wrote for this row before it was there.
            let text = "INSERT OR IGNORE INTO \(Self.table) (digest, row) VALUES (?, ?)"
            let statement = try statement(text)
            try statement.bind(digest, on: connection)
            try statement.bind(row, on: connection)
            try statement.run(on: connection)
        }
    }

    /// Takes all digests of a row away.
    borrowing func removePairs(of row: Int64) throws(KeychainError) {
        let statement = try statement("DELETE FROM \(Self.table) WHERE row = ?")
        try statement.bind(row, on: connection)
        try statement.run(on: connection)
    }

    /// Takes the digests of all rows of a protection class away.
    borrowing func removePairs(in protection: ProtectionClass) throws(KeychainError) {
        let rows = "SELECT row FROM \(ItemClass.genericPassword.rawValue) WHERE pdmn = ?"
        let statement = try statement("DELETE FROM \(Self.table) WHERE row IN (\(rows))")
        try statement.bind(Int64(protection.rawValue), on: connection)
        try statement.run(on: connection)
    }

    /// The digests of a row, in no order.
    borrowing func pairs(of row: Int64) throws(KeychainError) -> [[UInt8]] {
        let statement = try statement("SELECT digest FROM \(Self.table) WHERE row = ?")
        defer { statement.reset() }
        try statement.bind(row, on: connection)
        var digests: [[UInt8]] = []
        while try statement.step(on: connection) { digests.append(statement.bytes(at: 0) ?? []) }
        return digests
    }

    /// How many digests there are of rows that no table has.
    borrowing func strayPairCount() throws(KeychainError) -> Int {
        let rows = "SELECT row FROM \(ItemClass.genericPassword.rawValue)"
        let text = "SELECT COUNT(*) FROM \(Self.table) WHERE row NOT IN (\(rows))"
        let statement = try statement(text)
        defer { statement.reset() }
        return try statement.step(on: connection) ? Int(statement.number(at: 0)) : 0
    }

    /// The first row of a list from a number on.
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

    /// The question for the first row of a list, with `?` for its digests and the number.
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
