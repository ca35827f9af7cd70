import KeychainModel

/// A search under way: one row after the other, in the order in which they were added.
///
/// Not to be kept beyond the call that made it.
package final class RowCursor {
    fileprivate let statement: Statement
    fileprivate let itemClass: ItemClass
    fileprivate let withSecrets: Bool
    /// What names the rows of a search by pairs, one by one; nil for any other.
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

/// A search that asks for one row after the other by its number.
private struct NamedRows {
    var walk: PairWalk
    /// What else a row has to be.
    var filter: RowFilter
    /// Under way as long as the search, so that all of it sees the database as it is at its start.
    let anchor: Statement
}

extension ItemStore {
    /// Starts a search; `withSecrets` has the sealed values read too.
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

    /// Runs a search to its next row; false after the last.
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

    /// The next row; nil after the last.
    package borrowing func next(_ cursor: RowCursor) throws(KeychainError) -> SealedRow? {
        while try step(cursor) {
            // A row whose columns make no sense is a damaged row: as if it were not there.
            if let row = read(cursor.statement, cursor.itemClass, cursor.withSecrets) {
                return row
            }
        }
        return nil
    }

    /// Starts a search for the values of live items that have one of the primary keys, 1 to 4
    /// digests; to be rewound after it.
    borrowing func values(
        of itemClass: ItemClass,
        keys: [[UInt8]]
    ) throws(KeychainError) -> Statement {
        let statement = try valueStatement(itemClass, keyCount: keys.count)
        for key in keys { try statement.bind(key, on: connection) }
        return statement
    }

    /// The next value, good until the next step; nil after the last.
    ///
    /// - Parameters:
    ///   - statement: What `values` returned.
    ///   - itemClass: The class.
    ///   - keys: The primary keys that it was started with.
    /// - Returns: The value.
    /// - Throws: `damaged` for a row whose columns make no sense.
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

    /// With one key alone, it is the row's.
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

    /// All matching rows at once, for operations that change what they read.
    package borrowing func rows(
        _ filter: RowFilter,
        withSecrets: Bool
    ) throws(KeychainError) -> [SealedRow] {
        let cursor = try cursor(filter, withSecrets: withSecrets)
        var rows: [SealedRow] = []
        while let row = try next(cursor) { rows.append(row) }
        return rows
    }

    /// How many live rows of a class are in the groups.
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
