import KeychainModel

/// The migration of a database to this program's version, one numbered step at a time.
///
/// - Source: requirement OPS-08; Documentation/Spec/store.md §3.
enum StoreMigration {
    /// Checks the owner of a database, configures the connection, and runs the missing steps.
    ///
    /// A database of version n has had the first n of `steps`. Nothing is written before its owner
    /// and its schema are known.
    static func prepare(
        _ connection: borrowing SQLiteConnection,
        steps: [[String]] = StoreSchema.migrations
    ) throws(KeychainError) {
        let version = try Self.version(of: connection)
        try checkOrigin(connection, version: version)
        try checkSchema(connection, version: version, steps)
        try configure(connection)
        if version < steps.count { try migrate(connection, steps) }
    }

    /// Throws for a newer program's database, and for a schema that differs from its version's.
    private static func checkSchema(
        _ connection: borrowing SQLiteConnection,
        version: Int,
        _ steps: [[String]]
    ) throws(KeychainError) {
        guard version <= steps.count else {
            throw .store(.newer(path: connection.path, version: Int64(version)))
        }
        try StoreSchema.check(connection, version: version)
    }

    /// Checks an open database again after another program has changed it.
    ///
    /// - Throws: `newer`, `foreignSchema`, or the errors of SQLite.
    static func checkAgain(_ connection: borrowing SQLiteConnection) throws(KeychainError) {
        let version = try Self.version(of: connection)
        let steps = StoreSchema.migrations
        guard version <= steps.count else {
            throw .store(.newer(path: connection.path, version: Int64(version)))
        }
        try StoreSchema.check(connection, version: steps.count)
    }

    /// Returns the version of the database; throws for a negative one, which is never written.
    private static func version(of connection: borrowing SQLiteConnection) throws(KeychainError)
        -> Int
    {
        let version = try connection.number("PRAGMA user_version")
        guard let steps = Int(exactly: version), steps >= 0 else {
            let reason = "its version is \(version)"
            throw .store(.damaged(path: connection.path, reason: reason))
        }
        return steps
    }

    /// Throws for a database with content but without our mark: it belongs to another program.
    private static func checkOrigin(
        _ connection: borrowing SQLiteConnection,
        version: Int
    ) throws(KeychainError) {
        let mark = try connection.number("PRAGMA application_id")
        guard mark != StoreSchema.applicationID else { return }
        let tableCount = try connection.number("SELECT COUNT(*) FROM sqlite_schema")
        guard mark == 0, version == 0, tableCount == 0 else {
            throw .store(.foreign(path: connection.path))
        }
    }

    private static func configure(_ connection: borrowing SQLiteConnection) throws(KeychainError) {
        try connection.execute("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("PRAGMA secure_delete = ON")
        try connection.execute("PRAGMA cell_size_check = ON")
        try connection.execute("PRAGMA temp_store = MEMORY")
        try connection.execute("PRAGMA foreign_keys = ON")
    }

    /// The page cache of a reader, enough for about two thousand items.
    private static let readerCacheKiB = 4000

    /// Configures a further connection of a process that has already opened the database.
    static func configureReading(_ connection: borrowing SQLiteConnection) throws(KeychainError) {
        try connection.execute("PRAGMA query_only = ON")
        try connection.execute("PRAGMA cache_size = -\(readerCacheKiB)")
        try connection.execute("PRAGMA cell_size_check = ON")
        try connection.execute("PRAGMA temp_store = MEMORY")
    }

    private static func migrate(
        _ connection: borrowing SQLiteConnection,
        _ steps: [[String]]
    ) throws(KeychainError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(KeychainError) {
            // Another process may have migrated the database while this one waited.
            let version = try Self.version(of: connection)
            try checkSchema(connection, version: version, steps)
            for step in steps.dropFirst(version) {
                for statement in step { try connection.execute(statement) }
            }
            try connection.execute("PRAGMA application_id = \(StoreSchema.applicationID)")
            try connection.execute("PRAGMA user_version = \(steps.count)")
            try connection.execute("COMMIT")
        } catch {
            // The error of the step is the one to report.
            try? connection.execute("ROLLBACK")
            throw error
        }
    }
}
