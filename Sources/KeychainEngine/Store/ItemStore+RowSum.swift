import KeychainModel

// The sealed sum of the rows: the store keeps it, and refuses to commit a change without it.
//
// Source: Documentation/Spec/store.md §6.
extension ItemStore {
    /// Returns the sealed sum; nil if there is none, which means no rows.
    package borrowing func rowSum() throws(KeychainError) -> [UInt8]? {
        let statement = try statement("SELECT sealed FROM row_sum WHERE id = 1")
        defer { statement.reset() }
        return try statement.step(on: connection) ? statement.bytes(at: 0) : nil
    }

    /// Stores a new sealed sum, which includes every change of this transaction.
    package borrowing func replaceRowSum(_ sealed: [UInt8]) throws(KeychainError) {
        let text = "INSERT OR REPLACE INTO row_sum (id, sealed) VALUES (1, ?)"
        let statement = try statement(text)
        try statement.bind(sealed, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
        writeState.isOpen = false
    }

    /// Keeps the stored sum, because nothing changed or because it is damaged, which checks report.
    package borrowing func leaveRowSum() { writeState.isOpen = false }
}

/// A scan over the marks of a class's rows; it must not outlive the call that started it.
package final class MarkCursor {
    fileprivate let statement: Statement
    fileprivate let itemClass: ItemClass

    fileprivate init(_ statement: Statement, _ itemClass: ItemClass) {
        self.statement = statement
        self.itemClass = itemClass
    }

    deinit { statement.reset() }
}

extension ItemStore {
    /// Starts a scan over all rows of a class, including rows that readers skip.
    ///
    /// - Parameters:
    ///   - itemClass: The class.
    ///   - protection: The protection class of the rows; nil for all.
    /// - Returns: The cursor of the scan.
    /// - Throws: The errors of SQLite.
    package borrowing func marks(
        of itemClass: ItemClass,
        in protection: ProtectionClass? = nil
    ) throws(KeychainError) -> MarkCursor {
        let table = TableText.of(itemClass)
        guard let protection else {
            return MarkCursor(try statement(table.marks), itemClass)
        }
        let statement = try statement(table.marksInProtectionClass)
        try statement.bind(Int64(protection.rawValue), on: connection)
        return MarkCursor(statement, itemClass)
    }

    /// Starts a scan over the synchronizable rows of a class after a row, in order.
    borrowing func synchronizedMarks(
        of itemClass: ItemClass,
        after row: Int64
    ) throws(KeychainError) -> MarkCursor {
        let statement = try statement(TableText.of(itemClass).synchronizedMarks)
        try statement.bind(row, on: connection)
        return MarkCursor(statement, itemClass)
    }

    /// Returns the next mark; nil after the last.
    package borrowing func next(_ cursor: MarkCursor) throws(KeychainError) -> RowMark? {
        guard try cursor.statement.step(on: connection) else { return nil }
        return RowMark(
            itemClass: cursor.itemClass,
            row: cursor.statement.number(at: 0),
            binding: cursor.statement.bytes(at: 1) ?? []
        )
    }

    /// Returns the present mark of a row; nil if there is no such row.
    borrowing func mark(row: Int64, of itemClass: ItemClass) throws(KeychainError) -> RowMark? {
        let statement = try statement(TableText.of(itemClass).mark)
        try statement.bind(row, on: connection)
        return try next(MarkCursor(statement, itemClass))
    }
}
