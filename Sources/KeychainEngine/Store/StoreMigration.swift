import KeychainModel

/// Brings a database to this program's version, one numbered step at a time.
///
/// - Source: requirement OPS-08; Documentation/Spec/store.md §3.
enum StoreMigration {
    /// Checks whose database it is, configures the connection, and runs the steps that are due.
    ///
    /// Of `steps`, each with its statements, a database of version n has had the first n. Nothing
    /// is written before whose it is and its schema are known.
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

    /// Refuses a newer program's database, and a schema that the first `version` steps do not make.
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

    /// The same for a database that is open and was changed by another program.
    ///
    /// - Throws: `newer`, `foreignSchema`, or what SQLite reports.
    static func checkAgain(_ connection: borrowing SQLiteConnection) throws(KeychainError) {
        let version = try Self.version(of: connection)
        let steps = StoreSchema.migrations
        guard version <= steps.count else {
            throw .store(.newer(path: connection.path, version: Int64(version)))
        }
        try StoreSchema.check(connection, version: steps.count)
    }

    /// SQLite keeps any number of 32 bits with its sign; none below 0 was ever written.
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

    /// A file with tables that does not carry our mark belongs to somebody else.
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

    /// Room for the pages of about two thousand items.
    private static let readerCacheKiB = 4000

    /// A further connection of a process that has opened the database.
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
            // Another process may have been here while this one waited.
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
