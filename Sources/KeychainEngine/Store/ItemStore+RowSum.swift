import KeychainModel

// The sum of the rows, sealed: the store keeps it, and sees to it that no change goes without.
//
// Source: Documentation/Spec/store.md §6.
extension ItemStore {
    /// The sealed sum; nil while there is none, which stands for no rows.
    package borrowing func rowSum() throws(KeychainError) -> [UInt8]? {
        let statement = try statement("SELECT sealed FROM row_sum WHERE id = 1")
        defer { statement.reset() }
        return try statement.step(on: connection) ? statement.bytes(at: 0) : nil
    }

    /// Keeps another sealed sum, which knows of every change in this transaction.
    package borrowing func replaceRowSum(_ sealed: [UInt8]) throws(KeychainError) {
        let text = "INSERT OR REPLACE INTO row_sum (id, sealed) VALUES (1, ?)"
        let statement = try statement(text)
        try statement.bind(sealed, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
        writeState.isOpen = false
    }

    /// Leaves the sum as it is, because it is damaged: checks go on telling.
    package borrowing func leaveRowSum() { writeState.isOpen = false }
}

/// A scan over the marks of a class's rows; not to be kept beyond the call that made it.
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
    /// Starts a scan over all rows of a class, also those that no reader takes for items.
    ///
    /// - Parameters:
    ///   - itemClass: The class.
    ///   - protection: Only rows of this protection class; nil: all.
    /// - Returns: Where the scan begins.
    /// - Throws: What SQLite reports.
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

    /// Starts a scan over the synchronizable rows of a class behind a row, in their order.
    borrowing func synchronizedMarks(
        of itemClass: ItemClass,
        after row: Int64
    ) throws(KeychainError) -> MarkCursor {
        let statement = try statement(TableText.of(itemClass).synchronizedMarks)
        try statement.bind(row, on: connection)
        return MarkCursor(statement, itemClass)
    }

    /// The next mark; nil after the last.
    package borrowing func next(_ cursor: MarkCursor) throws(KeychainError) -> RowMark? {
        guard try cursor.statement.step(on: connection) else { return nil }
        return RowMark(
            itemClass: cursor.itemClass,
            row: cursor.statement.number(at: 0),
            binding: cursor.statement.bytes(at: 1) ?? []
        )
    }

    /// The mark of a row as it is now; nil without the row.
    borrowing func mark(row: Int64, of itemClass: ItemClass) throws(KeychainError) -> RowMark? {
        let statement = try statement(TableText.of(itemClass).mark)
        try statement.bind(row, on: connection)
        return try next(MarkCursor(statement, itemClass))
    }
}
