import KeychainModel

/// A search in progress, which returns rows in the order in which they were added.
///
/// It must not outlive the call that started it.
package final class RowCursor {
    fileprivate let statement: Statement
    fileprivate let itemClass: ItemClass
    fileprivate let withSecrets: Bool
    /// The row numbers of a search by pairs; nil for any other search.
    fileprivate var walk: NamedRows?

    fileprivate init(
        _ statement: Statement,
        _ itemClass: ItemClass,
        withSecrets: Bool,
        walk: NamedRows? = nil
    ) {
        self.statement = statement
        self.itemClass = itemClass
        self.withSecrets = withSecrets
        self.walk = walk
        statement.isLent = true
    }

    deinit {
        statement.reset()
        statement.isLent = false
    }
}

/// A search that fetches rows one by one, by their numbers.
private struct NamedRows {
    var walk: PairWalk
    /// The other conditions on a row.
    var filter: RowFilter
    /// A statement that stays open, so that the whole search sees the database as of its start.
    let anchor: Statement
}

extension ItemStore {
    /// Starts a search; `withSecrets` also reads the sealed values.
    package borrowing func cursor(
        _ filter: RowFilter,
        withSecrets: Bool
    ) throws(KeychainError) -> RowCursor {
        let wanted = withSecrets ? SearchShape.Wanted.rowsWithSecrets : .rows
        guard let walk = PairWalk(filter) else {
            let statement = try bound(filter, wanted)
            return RowCursor(statement, filter.itemClass, withSecrets: withSecrets)
        }
        let anchor = try connection.prepare("SELECT type FROM sqlite_schema")
        _ = try anchor.step(on: connection)
        var rest = filter
        rest.pairs = nil
        rest.row = 0
        let statement = try statement(SearchShape(rest.itemClass, rest.terms, wanted))
        return RowCursor(
            statement,
            filter.itemClass,
            withSecrets: withSecrets,
            walk: NamedRows(walk: walk, filter: rest, anchor: anchor)
        )
    }

    /// Advances a search to its next row; returns false after the last.
    private borrowing func step(_ cursor: RowCursor) throws(KeychainError) -> Bool {
        guard cursor.walk != nil else { return try cursor.statement.step(on: connection) }
        while let row = try cursor.walk?.walk.next(in: self) {
            cursor.walk?.filter.row = row
            cursor.statement.reset()
            try bind(cursor.walk?.filter.terms ?? [], to: cursor.statement)
            if try cursor.statement.step(on: connection) { return true }
        }
        return false
    }

    /// Returns the next row; nil after the last.
    package borrowing func next(_ cursor: RowCursor) throws(KeychainError) -> SealedRow? {
        while try step(cursor) {
            // A row with invalid columns is damaged, and treated as absent.
            if let row = read(cursor.statement, cursor.itemClass, cursor.withSecrets) {
                return row
            }
        }
        return nil
    }

    /// Starts a search for the values of live items by primary key, with 1 to 4 digests.
    ///
    /// The caller rewinds the statement at the end.
    borrowing func values(
        of itemClass: ItemClass,
        keys: [[UInt8]]
    ) throws(KeychainError) -> Statement {
        let statement = try valueStatement(itemClass, keyCount: keys.count)
        for key in keys { try statement.bind(key, on: connection) }
        return statement
    }

    /// Returns the next value, which is valid until the next step; nil after the last.
    ///
    /// - Parameters:
    ///   - statement: The statement that `values` returned.
    ///   - itemClass: The class.
    ///   - keys: The primary keys of the search.
    /// - Returns: The value.
    /// - Throws: `damaged` for a row with invalid columns.
    borrowing func next(
        _ statement: Statement,
        of itemClass: ItemClass,
        keys: [[UInt8]]
    ) throws(KeychainError) -> SealedValue? {
        guard try statement.step(on: connection) else { return nil }
        guard let value = Self.value(statement, itemClass, keys) else {
            throw .store(.damaged(path: connection.path, reason: "a row's columns are malformed"))
        }
        return value
    }

    /// Reads a value; a search for a single key does not select the key's column.
    private static func value(
        _ statement: Statement,
        _ itemClass: ItemClass,
        _ keys: [[UInt8]]
    ) -> SealedValue? {
        let metadata = statement.rawBytes(at: 1)
        guard
            let number = UInt8(exactly: statement.number(at: 0)),
            let protection = ProtectionClass(rawValue: number),
            let version = metadata.first
        else { return nil }
        let binding = metadata.dropFirst().prefix(RowMark.bindingByteCount)
        let associatedData = keys[0].withUnsafeBytes { key in
            RowName(
                itemClass: itemClass,
                protection: protection,
                primaryKey: keys.count == 1 ? key : statement.rawBytes(at: 3),
                binding: UnsafeRawBufferPointer(rebasing: binding)
            ).associatedData
        }
        return SealedValue(
            protection: protection,
            associatedData: associatedData,
            metadataVersion: version,
            sealed: statement.rawBytes(at: 2)
        )
    }

    /// Returns all matching rows at once, for operations that change the rows that they read.
    package borrowing func rows(
        _ filter: RowFilter,
        withSecrets: Bool
    ) throws(KeychainError) -> [SealedRow] {
        let cursor = try cursor(filter, withSecrets: withSecrets)
        var rows: [SealedRow] = []
        while let row = try next(cursor) { rows.append(row) }
        return rows
    }

    /// Returns the number of rows that match a filter.
    package borrowing func count(_ filter: RowFilter) throws(KeychainError) -> Int {
        let statement = try bound(filter, .count)
        defer { statement.reset() }
        return try statement.step(on: connection) ? Int(statement.number(at: 0)) : 0
    }

    private borrowing func bound(
        _ filter: RowFilter,
        _ wanted: SearchShape.Wanted
    ) throws(KeychainError) -> Statement {
        let terms = filter.terms
        let statement = try statement(SearchShape(filter.itemClass, terms, wanted))
        try bind(terms, to: statement)
        return statement
    }

    private borrowing func bind(
        _ terms: [RowFilter.Term],
        to statement: Statement
    ) throws(KeychainError) {
        for term in terms {
            switch term.value {
            case .bytes(let bytes): try statement.bind(bytes, on: connection)
            case .oneOf(let values):
                for bytes in values { try statement.bind(bytes, on: connection) }
            case .number(let number): try statement.bind(number, on: connection)
            }
        }
    }

    private borrowing func read(
        _ statement: Statement,
        _ itemClass: ItemClass,
        _ withSecrets: Bool
    ) -> SealedRow? {
        let digestCount = Schema.digestColumns(of: itemClass).count
        let first = 1 + StoreSchema.fixedColumns.count
        let further = first + digestCount
        let last = further + StoreSchema.furtherColumns(of: itemClass).count
        guard
            let primaryKey = statement.bytes(at: 1),
            let number = UInt8(exactly: statement.number(at: 2)),
            let protection = ProtectionClass(rawValue: number),
            let reference = statement.bytes(at: 5),
            let metadata = statement.bytes(at: last)
        else { return nil }
        var digests = DigestColumns(capacity: digestCount)
        for column in first..<further { digests.append(statement.rawBytes(at: column)) }
        let columns = ItemColumns(
            itemClass: itemClass,
            primaryKey: primaryKey,
            protection: protection,
            isSynchronizable: statement.number(at: 3) != 0,
            isTombstone: statement.number(at: 4) != 0,
            reference: reference,
            digests: digests,
            publicKey: last > further ? statement.bytes(at: further) : nil
        )
        let secret = withSecrets ? statement.bytes(at: last + 1) : nil
        return SealedRow(
            row: statement.number(at: 0),
            item: SealedItem(columns: columns, metadata: metadata, secret: secret)
        )
    }
}
