import KeychainSync

/// The size of a relay's tables on the server's disk, and the searches in them.
struct TableFacts: Sendable {
    /// Rows of both tables, bytes of entries, bytes of the tables and of their indexes.
    let streamCount: Int
    let entryCount: Int
    let entryByteCount: Int
    let tableByteCount: Int
    let indexByteCount: Int

    init(_ database: Database) throws {
        streamCount = try database.number("SELECT count(*) FROM keychain_sync_streams")
        entryCount = try database.number("SELECT count(*) FROM keychain_sync_entries")
        entryByteCount = try database.number(
            "SELECT coalesce(sum(octet_length(entry)), 0) FROM keychain_sync_entries"
        )
        tableByteCount = try Self.sum("pg_table_size", database)
        indexByteCount = try Self.sum("pg_indexes_size", database)
    }

    private static func sum(_ function: String, _ database: Database) throws -> Int {
        try database.number(
            """
            SELECT coalesce(sum(\(function)(inhrelid)), 0) FROM pg_inherits
            WHERE inhparent IN
                ('keychain_sync_streams'::regclass, 'keychain_sync_entries'::regclass)
            """
        )
    }

    static let head = ["when", "streams", "entries", "bytes of entries", "tables", "indexes"]

    func row(_ name: String) -> [String] {
        [name, "\(streamCount)", "\(entryCount)"]
            + [entryByteCount, tableByteCount, indexByteCount].map(Words.mebibytes)
    }

    /// Returns the entries of some accounts, and their bytes.
    static func entries(
        of accounts: [AccountName],
        _ database: Database
    ) throws -> (count: Int, byteCount: Int) {
        let list = accounts.map { "'\\x\($0.hexadecimal)'" }.joined(separator: ",")
        let row = try database.rows(
            """
            SELECT count(*), coalesce(sum(octet_length(entry)), 0) FROM keychain_sync_entries
            WHERE account IN (\(list))
            """
        )
        guard let counts = row.first.map({ $0.compactMap { Int($0) } }), counts.count == 2 else {
            throw ScaleFailure("no counts")
        }
        return (counts[0], counts[1])
    }

    /// The numbers of searches by an index, and of reads of whole partitions.
    struct Searches: Sendable {
        let table: String
        let index: Int
        let whole: Int
    }

    /// Returns the searches of ended sessions since the last `forgetSearches`.
    static func searches(_ database: Database) throws -> [Searches] {
        try ["keychain_sync_streams", "keychain_sync_entries"].map { table in
            let row = try database.rows(
                """
                SELECT sum(idx_scan), sum(seq_scan) FROM pg_stat_user_tables
                WHERE relname ~ '\(table)_[0-9]+'
                """
            )
            let counts = row.first?.compactMap { Int($0) } ?? []
            guard counts.count == 2 else { throw ScaleFailure("no statistics of \(table)") }
            return Searches(table: table, index: counts[0], whole: counts[1])
        }
    }

    /// Sets the counts of searches to zero.
    static func forgetSearches(_ database: Database) throws {
        // The searches of this session count only after this call.
        try database.rows("SELECT pg_stat_force_next_flush()")
        try database.rows("SELECT pg_stat_reset()")
    }
}
