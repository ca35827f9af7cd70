import KeychainModel

@_implementationOnly import CSQLite

/// One open SQLite database; closed at the end of the value's life.
///
/// Two threads must not use it at once: the engine's lock guards it.
struct SQLiteConnection: ~Copyable {
    /// The time for which a call waits for another process's write before it gives up.
    static let busyTimeoutMilliseconds: Int32 = 5000

    private let handle: OpaquePointer
    /// The file's path, or `:memory:`.
    let path: String
    private let busyWait: BusyWait
    /// The size limit of the file in bytes; nil for no limit.
    let byteLimit: Int?
    /// Whether the work in progress is still needed.
    let interruption = Interruption()

    /// Turns SQLite's memory statistics off, once.
    ///
    /// With them, searches on several threads would queue to update the counters. In a program that
    /// has already used SQLite, its own setting stays.
    private static let preparation: Void = { _ = csqlite_leave_memory_uncounted() }()

    /// Makes later connections small; has no effect if SQLite is already in use.
    static func keepSmall() { _ = csqlite_keep_connections_small() }

    /// Opens the file, which must exist unless it is `:memory:`.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `:memory:`.
    ///   - settings: The settings to switch on and off; an empty array for SQLite's defaults.
    ///   - busyWait: The time for which a call waits for another process, in milliseconds.
    ///   - byteLimit: The size limit of the file in bytes, which `limitSize` activates; nil
    ///     for no limit.
    /// - Throws: The errors of SQLite.
    init(
        opening path: String,
        settings: [ConnectionSetting] = ConnectionSetting.all,
        busyWait: Int32 = busyTimeoutMilliseconds,
        byteLimit: Int? = nil
    ) throws(KeychainError) {
        Self.preparation
        var handle: OpaquePointer?
        // Searches need write access, too: a reader of a write-ahead log records its position.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw .store(Self.error(code: code, reason: "cannot open", path: path))
        }
        let waiting = BusyWait(milliseconds: busyWait, interruption)
        let configured = Self.configure(handle, settings, waiting)
        guard configured == SQLITE_OK else {
            sqlite3_close_v2(handle)
            throw .store(
                Self.error(code: configured, reason: "cannot configure", path: path)
            )
        }
        interruption.install(on: handle)
        self.handle = handle
        self.path = path
        self.busyWait = waiting
        self.byteLimit = byteLimit
    }

    /// Configures the connection before its first statement, which a manipulated schema could
    /// affect.
    private static func configure(
        _ handle: OpaquePointer,
        _ settings: [ConnectionSetting],
        _ busyWait: BusyWait
    ) -> Int32 {
        var code = sqlite3_extended_result_codes(handle, 1)
        if code == SQLITE_OK { code = busyWait.install(on: handle) }
        for setting in settings where code == SQLITE_OK {
            code = csqlite_set(handle, setting.number, setting.value)
        }
        return code
    }

    deinit { sqlite3_close_v2(handle) }

    /// Throws unless the code means success.
    borrowing func require(_ code: Int32) throws(KeychainError) {
        guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
            throw error(code: code)
        }
    }

    /// Returns the error for the code of the latest call.
    borrowing func error(code: Int32) -> KeychainError {
        if code & 0xFF == SQLITE_INTERRUPT { return .lockedMeanwhile }
        let reason = String(cString: sqlite3_errmsg(handle))
        if code & 0xFF == SQLITE_FULL, let byteLimit, hasReachedLimit() {
            return .store(.limitReached(path: path, byteCount: byteLimit))
        }
        return .store(Self.error(code: code, reason: reason, path: path))
    }

    /// Runs statements that return nothing.
    borrowing func execute(_ sql: String) throws(KeychainError) {
        try require(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    borrowing func prepare(_ sql: String) throws(KeychainError) -> Statement {
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try require(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil))
        guard let statement else {
            throw .store(.backend(code: SQLITE_MISUSE, reason: "empty statement"))
        }
        return Statement(statement, isEnd: sql == "COMMIT" || sql == "ROLLBACK")
    }

    /// Returns the number in the first column of the first row; 0 without rows.
    borrowing func number(_ sql: String) throws(KeychainError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step(on: self) ? statement.number(at: 0) : 0
    }

    /// Puts the size limit into force; a larger file keeps its size.
    ///
    /// - Source: SQLite's `PRAGMA max_page_count`.
    borrowing func limitSize() throws(KeychainError) {
        guard let byteLimit else { return }
        let pageSize = try number("PRAGMA page_size")
        try execute("PRAGMA max_page_count = \(max(1, Int64(byteLimit) / max(1, pageSize)))")
    }

    /// Whether the file has reached its limit; SQLite reports a full disk with the same code.
    private borrowing func hasReachedLimit() -> Bool {
        guard let pages = try? number("PRAGMA page_count"),
            let most = try? number("PRAGMA max_page_count")
        else { return false }
        return pages >= most
    }

    /// The row number of the latest insert.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the latest statement changed.
    var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    /// Moves the write-ahead log into the database and empties it.
    ///
    /// - Parameter wait: The time to wait for other processes, in milliseconds.
    /// - Returns: False if another process was still reading or writing; nothing is lost then.
    /// - Throws: The errors of SQLite.
    borrowing func truncateLog(waiting wait: Int32) throws(KeychainError) -> Bool {
        let usual = busyWait.limit
        busyWait.limit = .milliseconds(wait)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        busyWait.limit = usual
        if code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED { return false }
        try require(code)
        return true
    }

    /// Throws unless the latest statement inserted or changed exactly one row.
    borrowing func requireChange() throws(KeychainError) { try requireChanges(1) }

    /// Throws unless the latest statement changed exactly `count` rows.
    borrowing func requireChanges(_ count: Int) throws(KeychainError) {
        guard changedRowCount == count else {
            let reason = "SQLite wrote \(changedRowCount) rows instead of \(count)"
            throw .store(.damaged(path: path, reason: reason))
        }
    }

    private static func error(code: Int32, reason: String, path: String) -> StoreError {
        switch code {
        case csqlite_constraint_unique, csqlite_constraint_primarykey: .duplicate
        default: error(primaryCode: code & 0xFF, extended: code, reason: reason, path: path)
        }
    }

    private static func error(
        primaryCode: Int32,
        extended: Int32,
        reason: String,
        path: String
    ) -> StoreError {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(path: path, reason: reason)
        case SQLITE_BUSY, SQLITE_LOCKED: .busy(path: path)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN: .readOnly(path: path)
        case SQLITE_FULL: .full(path: path)
        case SQLITE_IOERR: .inputOutput(path: path, reason: reason)
        case SQLITE_NOMEM: .outOfMemory
        default: .backend(code: extended, reason: reason)
        }
    }
}
