import KeychainModel

/// The SQL of one item table, made once from the schema.
struct TableText: Sendable {
    let insert: String
    let update: String
    /// An update that writes no index, for a row whose indexed columns stay the same.
    let updateInPlace: String
    /// Whether each written column is indexed, in their order.
    let isIndexed: [Bool]
    let delete: String
    let deleteProtectionClass: String
    let select: String
    let selectWithSecret: String
    /// Searches for values by one primary key, by two, and so on.
    let selectValues: [String]
    let marks: String
    let marksInProtectionClass: String
    let mark: String
    let synchronizedMarks: String

    /// The most primary keys of a search for values.
    static let valueKeyCountLimit = 4

    private static let all = ItemClass.stored.map { TableText($0) }

    /// Returns the text for a stored class; an identity has no table and shares the certificates'.
    static func of(_ itemClass: ItemClass) -> TableText {
        let table = itemClass == .identity ? .certificate : itemClass
        return all[table.index]
    }

    private init(_ itemClass: ItemClass) {
        let table = itemClass.rawValue
        let digests = Schema.digestColumns(of: itemClass).map(StoreSchema.column)
        let further = StoreSchema.furtherColumns(of: itemClass)
        let found = StoreSchema.fixedColumns + digests + further + ["metadata"]
        let written = found + ["secret"]
        let places = written.map { _ in "?" }.joined(separator: ", ")
        let assignments = written.map { "\($0) = ?" }.joined(separator: ", ")
        insert = "INSERT INTO \(table) (\(written.joined(separator: ", "))) VALUES (\(places))"
        update = "UPDATE \(table) SET \(assignments) WHERE row = ?"
        let indexed = StoreSchema.indexedColumns(of: itemClass)
        isIndexed = written.map(indexed.contains)
        let changing = written.filter { !indexed.contains($0) }.map { "\($0) = ?" }
        let staying = written.filter(indexed.contains).map { "\($0) IS ?" }
        updateInPlace = """
            UPDATE \(table) SET \(changing.joined(separator: ", "))
                WHERE \((["row = ?"] + staying).joined(separator: " AND "))
            """
        delete = "DELETE FROM \(table) WHERE row = ?"
        deleteProtectionClass = "DELETE FROM \(table) WHERE pdmn = ?"
        // Read from the table itself, because a planted index might not match it.
        marks = """
            SELECT row, substr(metadata, 2, \(RowMark.bindingByteCount)) FROM \(table) NOT INDEXED
            """
        marksInProtectionClass = "\(marks) WHERE pdmn = ?"
        mark = "\(marks) WHERE row = ?"
        synchronizedMarks = "\(marks) WHERE row > ? AND sync = 1 ORDER BY row"
        select = "SELECT row, \(found.joined(separator: ", ")) FROM \(table)"
        selectWithSecret = "SELECT row, \(written.joined(separator: ", ")) FROM \(table)"
        selectValues = (1...Self.valueKeyCountLimit).map { count in
            let places = Array(repeating: "?", count: count).joined(separator: ", ")
            // A single key needs neither sorting nor its own column in the result.
            let key = count == 1 ? "" : ", pkey"
            let condition = count == 1 ? "pkey = ?" : "pkey IN (\(places))"
            return """
                SELECT pdmn, metadata, secret\(key) FROM \(table)
                    WHERE \(condition) AND tomb = 0 ORDER BY row
                """
        }
    }
}

/// Prepared statements by their text, so that each is parsed once.
final class StatementCache {
    private var statements: [String: Statement] = [:]
    private var searches: [SearchShape: Statement] = [:]
    /// Searches for values, by class and number of keys.
    private var values = [Statement?](
        repeating: nil,
        count: ItemClass.allCases.count * TableText.valueKeyCountLimit
    )
    private static let countLimit = 64

    /// Returns a statement that is ready to be bound.
    func statement(
        _ sql: String,
        on connection: borrowing SQLiteConnection
    ) throws(KeychainError) -> Statement {
        if let known = statements[sql] {
            known.reset()
            return known
        }
        if statements.count >= Self.countLimit { statements.removeAll() }
        let made = try connection.prepare(sql)
        statements[sql] = made
        return made
    }

    /// Returns a search for the values of `keyCount` primary keys that is ready to be bound.
    func valueStatement(
        _ itemClass: ItemClass,
        keyCount: Int,
        on connection: borrowing SQLiteConnection
    ) throws(KeychainError) -> Statement {
        let place = itemClass.index * TableText.valueKeyCountLimit + keyCount - 1
        if let known = values[place] {
            known.reset()
            return known
        }
        let made = try connection.prepare(TableText.of(itemClass).selectValues[keyCount - 1])
        values[place] = made
        return made
    }

    /// Returns a search that is ready to be bound.
    func statement(
        _ shape: SearchShape,
        on connection: borrowing SQLiteConnection
    ) throws(KeychainError) -> Statement {
        if let known = searches[shape], !known.isLent {
            known.reset()
            return known
        }
        if searches.count >= Self.countLimit { searches.removeAll() }
        let made = try connection.prepare(shape.text)
        searches[shape] = made
        return made
    }
}
