import KeychainModel

// Definitions  "row": one item or tombstone of one class; "sealed": opened only with its keys.
// Invariants   (1) Everything that is written was sealed before; the store has no key.
//              (2) A write is durable before the call that made it returns (synchronous = FULL).
//              (3) At most one process writes at a time; others wait a bounded time.
//              (4) A failed transaction leaves the database as it was.
//              (5) Rows come in the order in which they were added.
//              (6) A transaction that changed rows commits only after a decision about their sum.
//              (7) If the log cannot be emptied of earlier values, that is pending:
//                  `ItemStore+Log`.
//              (8) Nothing is written into a schema that the keychain did not create.

/// The items' tables: sealed values in, sealed values out.
///
/// - Source: Documentation/Spec/store.md.
package struct ItemStore: ~Copyable {
    let connection: SQLiteConnection
    let writeState = RowWriteState()
    let truncation = PendingTruncation()
    let waits: StoreWaits
    private let statements = StatementCache()

    /// Opens the database, and creates or migrates its tables if needed.
    ///
    /// - Parameters:
    ///   - path: The path of an existing file, empty or a keychain; nil for a database in memory.
    ///   - waits: The times to wait for other processes.
    ///   - byteLimit: The size limit of the file in bytes; nil for no limit. A write beyond it
    ///     throws `errSecDiskFull` and is undone.
    /// - Throws: The error for `StoreError.foreign`, `.foreignSchema`, `.damaged` or `.newer`,
    ///   before anything is changed.
    package init(
        opening path: String?,
        waits: StoreWaits = StoreWaits(),
        byteLimit: Int? = nil
    ) throws(KeychainError) {
        let connection = try SQLiteConnection(
            opening: path ?? ":memory:",
            busyWait: waits.busy,
            byteLimit: byteLimit
        )
        try StoreMigration.prepare(connection)
        try connection.limitSize()
        self.connection = connection
        self.waits = waits
    }

    /// Opens a database that is in use, only for searches.
    init(readingFrom path: String) throws(KeychainError) {
        let connection = try SQLiteConnection(opening: path)
        try StoreMigration.configureReading(connection)
        self.connection = connection
        waits = StoreWaits()
    }

    /// Makes every connection of this process keep its memory small.
    ///
    /// Call it before the first connection is opened.
    package static func keepConnectionsSmall() { SQLiteConnection.keepSmall() }

    /// The file's path; nil for a store in memory.
    package var location: String? { connection.path == ":memory:" ? nil : connection.path }

    /// Releases the cached pages.
    ///
    /// - Source: SQLite's `PRAGMA shrink_memory`.
    borrowing func releasePages() {
        // A failure is harmless: the pages just stay in memory.
        try? connection.execute("PRAGMA shrink_memory")
    }

    func statement(_ sql: String) throws(KeychainError) -> Statement {
        try statements.statement(sql, on: connection)
    }

    func statement(_ shape: SearchShape) throws(KeychainError) -> Statement {
        try statements.statement(shape, on: connection)
    }

    func valueStatement(
        _ itemClass: ItemClass,
        keyCount: Int
    ) throws(KeychainError) -> Statement {
        try statements.valueStatement(itemClass, keyCount: keyCount, on: connection)
    }
}

extension ItemStore {
    /// Starts a write transaction; waits a bounded time for another process's.
    ///
    /// - Throws: The errors of SQLite; `foreignSchema` if another program has changed the schema.
    package borrowing func begin() throws(KeychainError) {
        try run("BEGIN IMMEDIATE")
        writeState.isOpen = false
        do throws(KeychainError) { try followSchema() } catch {
            rollBack()
            throw error
        }
    }

    /// Checks the schema again if another connection has written anything.
    ///
    /// SQLite's own counter of schema changes is not enough, because a writer can forge it.
    private borrowing func followSchema() throws(KeychainError) {
        let statement = try statement("PRAGMA data_version")
        let version = try statement.step(on: connection) ? statement.number(at: 0) : 0
        statement.reset()
        guard writeState.checkedVersion != version else { return }
        try StoreMigration.checkAgain(connection)
        writeState.checkedVersion = version
    }

    /// Starts a read transaction: it sees everything as of its first read, while others may write.
    package borrowing func beginReading() throws(KeychainError) { try run("BEGIN") }

    /// Limits the page cache of a reading connection to the pages of a few hundred items.
    borrowing func keepFewPages() {
        // The limit is optional: without it the connection only takes more memory.
        try? run("PRAGMA cache_size = -500")
    }

    /// Makes the transaction durable; rolls it back after an error.
    ///
    /// - Throws: The errors of SQLite; `backend` if rows changed without an update of their sum.
    package borrowing func commit() throws(KeychainError) {
        do throws(KeychainError) {
            guard !writeState.isOpen else {
                throw .store(.backend(code: 0, reason: "rows were changed without their sum"))
            }
            try run("COMMIT")
            connection.interruption.noteCommit()
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes the transaction.
    package borrowing func rollBack() {
        // A failed COMMIT may already have ended the transaction, so there is nothing to report.
        try? run("ROLLBACK")
    }

    private borrowing func run(_ sql: String) throws(KeychainError) {
        try statement(sql).run(on: connection)
    }
}

extension ItemStore {
    /// Adds a row.
    ///
    /// - Returns: The change for the row sum.
    /// - Throws: `errSecDuplicateItem` if a row with the same primary key exists.
    package borrowing func insert(_ item: SealedItem) throws(KeychainError) -> RowChange {
        let itemClass = item.columns.itemClass
        let statement = try statement(TableText.of(itemClass).insert)
        try bind(item, to: statement)
        try statement.run(on: connection)
        try connection.requireChange()
        writeState.isOpen = true
        let row = connection.lastInsertedRow
        if !item.pairs.isEmpty { try keepPairs(item.pairs, of: row) }
        return RowChange(put: RowMark(itemClass: itemClass, row: row, binding: item.binding))
    }

    /// Replaces the content of a row, and keeps its number.
    ///
    /// - Returns: The change for the row sum; an empty one if there is no such row.
    /// - Throws: The errors of SQLite.
    package borrowing func replace(_ row: SealedRow) throws(KeychainError) -> RowChange {
        let itemClass = row.item.columns.itemClass
        guard let taken = try mark(row: row.row, of: itemClass) else { return RowChange() }
        if try !replaceInPlace(row) {
            let statement = try statement(TableText.of(itemClass).update)
            try bind(row.item, to: statement)
            try statement.bind(row.row, on: connection)
            try statement.run(on: connection)
            try connection.requireChange()
        }
        writeState.isOpen = true
        if itemClass == .genericPassword { try keepPairs(row.item.pairs, of: row.row) }
        let put = RowMark(itemClass: itemClass, row: row.row, binding: row.item.binding)
        return RowChange(taken: taken, put: put)
    }

    /// Rewrites a row whose indexed columns stay the same, as in most updates.
    ///
    /// A change of only the value then touches no index.
    /// - Returns: False, without a write, if an indexed column changes.
    private borrowing func replaceInPlace(_ row: SealedRow) throws(KeychainError) -> Bool {
        let table = TableText.of(row.item.columns.itemClass)
        let values = Self.values(of: row.item)
        let statement = try statement(table.updateInPlace)
        for (value, isIndexed) in zip(values, table.isIndexed) where !isIndexed {
            try statement.bind(value, on: connection)
        }
        try statement.bind(row.row, on: connection)
        for (value, isIndexed) in zip(values, table.isIndexed) where isIndexed {
            try statement.bind(value, on: connection)
        }
        try statement.run(on: connection)
        return connection.changedRowCount == 1
    }

    /// Removes a row permanently.
    ///
    /// - Returns: The change for the row sum.
    /// - Throws: The errors of SQLite.
    package borrowing func remove(
        row: Int64,
        of itemClass: ItemClass
    ) throws(KeychainError) -> RowChange {
        let taken = try mark(row: row, of: itemClass)
        let statement = try statement(TableText.of(itemClass).delete)
        try statement.bind(row, on: connection)
        try statement.run(on: connection)
        try connection.requireChanges(taken == nil ? 0 : 1)
        writeState.isOpen = true
        if itemClass == .genericPassword { try removePairs(of: row) }
        return RowChange(taken: taken)
    }

    /// Removes every item of a protection class, and its metadata key.
    ///
    /// - Returns: The changes for the row sum.
    /// - Throws: The errors of SQLite.
    package borrowing func removeAll(
        in protection: ProtectionClass
    ) throws(KeychainError) -> [RowChange] {
        var changes: [RowChange] = []
        try removePairs(in: protection)
        for itemClass in ItemClass.stored {
            let cursor = try marks(of: itemClass, in: protection)
            let before = changes.count
            while let mark = try next(cursor) { changes.append(RowChange(taken: mark)) }
            let statement = try statement(TableText.of(itemClass).deleteProtectionClass)
            try statement.bind(Int64(protection.rawValue), on: connection)
            try statement.run(on: connection)
            try connection.requireChanges(changes.count - before)
        }
        let statement = try statement("DELETE FROM metadata_keys WHERE class = ?")
        try statement.bind(Int64(protection.rawValue), on: connection)
        try statement.run(on: connection)
        if !changes.isEmpty { writeState.isOpen = true }
        return changes
    }

    /// Removes every item, group, key and record, and the row sum.
    package borrowing func removeEverything() throws(KeychainError) {
        let others = [
            "access_groups", "metadata_keys", "row_sum", "key_set", "file_keys",
            "sync_records", "handle_keys", StoreSchema.pairTable,
        ]
        for table in ItemClass.stored.map(\.rawValue) + others {
            try statement("DELETE FROM \(table)").run(on: connection)
        }
    }

    private borrowing func bind(_ item: SealedItem, to statement: Statement) throws(KeychainError) {
        for value in Self.values(of: item) { try statement.bind(value, on: connection) }
    }

    /// Returns the values of a row's columns, in order.
    private static func values(of item: SealedItem) -> [Statement.Value] {
        let columns = item.columns
        let fixed: [Statement.Value] = [
            .bytes(columns.primaryKey),
            .number(Int64(columns.protection.rawValue)),
            .number(columns.isSynchronizable ? 1 : 0),
            .number(columns.isTombstone ? 1 : 0),
            .bytes(columns.reference),
        ]
        let further: [Statement.Value] = StoreSchema.furtherColumns(of: columns.itemClass).map {
            _ in
            .bytes(columns.publicKey)
        }
        return fixed + columns.digests.map { .bytes($0) } + further + [
            .bytes(item.metadata), .bytes(item.secret),
        ]
    }
}
