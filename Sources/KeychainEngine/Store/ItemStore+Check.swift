import KeychainModel

@_implementationOnly import CSQLite

// The checks that need no key.
extension ItemStore {
    /// Returns one sentence for each fault that SQLite finds; an empty array if there is none.
    ///
    /// It reads every page, and returns at most 100 sentences.
    package borrowing func integrityFaults() throws(KeychainError) -> [String] {
        let statement = try statement("PRAGMA integrity_check(100)")
        defer { statement.reset() }
        var faults: [String] = []
        while try statement.step(on: connection) {
            let text = String(decoding: statement.bytes(at: 0) ?? [], as: UTF8.self)
            if text != "ok" { faults.append(text) }
        }
        return faults
    }

    /// Returns one sentence for each difference from the keychain's schema.
    package borrowing func schemaFaults() throws(KeychainError) -> [String] {
        let version = StoreSchema.migrations.count
        return try StoreSchema.differences(in: connection, version: version)
    }

    /// Returns the numbers of the rows that readers skip because a column has an invalid value.
    package borrowing func invalidRows(of itemClass: ItemClass) throws(KeychainError) -> [Int64] {
        let classes = ProtectionClass.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        let missing = ["pkey", "pref", "metadata"].map { "\($0) IS NULL" }
        let terms = missing + ["CAST(pdmn AS INTEGER) NOT IN (\(classes))"]
        let condition = terms.joined(separator: " OR ")
        let text = "SELECT row FROM \(itemClass.rawValue) WHERE \(condition) ORDER BY row"
        let statement = try statement(text)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step(on: connection) { rows.append(statement.number(at: 0)) }
        return rows
    }

    /// The version of the SQLite library, such as `3.40.1`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
