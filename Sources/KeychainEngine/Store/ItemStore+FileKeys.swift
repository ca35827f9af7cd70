import KeychainModel

// The keys of file classes; calls on items use none of this.
//
// Source: Documentation/Spec/file-keys.md §1.
extension ItemStore {
    private static let columns = "number, name, class, public, wrapped, code"

    /// Returns the key of a class in one key set.
    package borrowing func fileKey(
        _ name: [UInt8],
        _ fileClass: FileClass
    ) throws(KeychainError) -> FileKeyRow? {
        let text = "SELECT \(Self.columns) FROM file_keys WHERE name = ? AND class = ?"
        let statement = try statement(text)
        try statement.bind(name, on: connection)
        try statement.bind(Int64(fileClass.rawValue), on: connection)
        return try fileKeys(statement).first
    }

    /// Returns the key of a class in the newest key set that has one.
    package borrowing func newestFileKey(
        of fileClass: FileClass
    ) throws(KeychainError) -> FileKeyRow? {
        let text = """
            SELECT \(Self.columns) FROM file_keys WHERE class = ? ORDER BY number DESC LIMIT 1
            """
        let statement = try statement(text)
        try statement.bind(Int64(fileClass.rawValue), on: connection)
        return try fileKeys(statement).first
    }

    /// Returns all keys, oldest first; skips rows with an invalid class.
    package borrowing func fileKeys() throws(KeychainError) -> [FileKeyRow] {
        let text = "SELECT \(Self.columns) FROM file_keys ORDER BY number"
        return try fileKeys(try statement(text))
    }

    private borrowing func fileKeys(
        _ statement: Statement
    ) throws(KeychainError) -> [FileKeyRow] {
        defer { statement.reset() }
        var rows: [FileKeyRow] = []
        while try statement.step(on: connection) {
            guard let number = UInt8(exactly: statement.number(at: 2)),
                let fileClass = FileClass(rawValue: number)
            else { continue }
            rows.append(
                FileKeyRow(
                    number: statement.number(at: 0),
                    name: statement.bytes(at: 1) ?? [],
                    fileClass: fileClass,
                    publicKey: statement.bytes(at: 3) ?? [],
                    wrapped: statement.bytes(at: 4) ?? [],
                    code: statement.bytes(at: 5) ?? []
                )
            )
        }
        return rows
    }

    /// Returns the number of the next row.
    package borrowing func nextFileKeyNumber() throws(KeychainError) -> Int64 {
        try connection.number("SELECT COALESCE(MAX(number), 0) + 1 FROM file_keys")
    }

    /// Returns the number of key sets.
    package borrowing func fileKeySetCount() throws(KeychainError) -> Int {
        Int(try connection.number("SELECT COUNT(DISTINCT name) FROM file_keys"))
    }

    /// Inserts the key of a class in a new key set.
    package borrowing func insert(_ row: FileKeyRow) throws(KeychainError) {
        let text = "INSERT INTO file_keys (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)"
        let statement = try statement(text)
        try statement.bind(row.number, on: connection)
        try statement.bind(row.name, on: connection)
        try statement.bind(Int64(row.fileClass.rawValue), on: connection)
        try statement.bind(row.publicKey, on: connection)
        try statement.bind(row.wrapped, on: connection)
        try statement.bind(row.code, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
    }

    /// Stores a key that was rewrapped under another class key of items.
    package borrowing func rewrap(_ row: FileKeyRow) throws(KeychainError) {
        let text = "UPDATE file_keys SET wrapped = ?, code = ? WHERE number = ?"
        let statement = try statement(text)
        try statement.bind(row.wrapped, on: connection)
        try statement.bind(row.code, on: connection)
        try statement.bind(row.number, on: connection)
        try statement.run(on: connection)
        try connection.requireChange()
    }
}
