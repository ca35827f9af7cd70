import KeychainModel

@_implementationOnly import CSQLite

/// One prepared statement; finalized when its last reference is released.
///
/// It is a class because a cache keeps prepared statements. Only the holder of the engine's lock
/// uses it.
final class Statement {
    private let handle: OpaquePointer
    private var nextParameter: Int32 = 1
    /// Whether nothing was bound or run since the last reset.
    private var isClean = true
    /// Whether a search in progress uses it, so that another search needs another statement.
    var isLent = false

    /// Whether the statement ends a transaction.
    private let isEnd: Bool

    init(_ handle: OpaquePointer, isEnd: Bool = false) {
        self.handle = handle
        self.isEnd = isEnd
    }

    deinit { sqlite3_finalize(handle) }

    /// Makes the statement ready to be bound and run again, and clears its bindings.
    func reset() {
        guard !isClean else { return }
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        nextParameter = 1
        isClean = true
    }

    /// Works like `reset`, but keeps the bindings: digests that the database contains anyway.
    func rewind() {
        sqlite3_reset(handle)
        nextParameter = 1
        isClean = true
    }

    /// A value to bind to a `?`.
    enum Value {
        /// A blob; nil for NULL.
        case bytes([UInt8]?)
        case number(Int64)
    }

    /// Binds the next `?`.
    func bind(_ value: Value, on connection: borrowing SQLiteConnection) throws(KeychainError) {
        switch value {
        case .bytes(let bytes): try bind(bytes, on: connection)
        case .number(let number): try bind(number, on: connection)
        }
    }

    /// Binds the next `?`.
    func bind(_ bytes: [UInt8]?, on connection: borrowing SQLiteConnection) throws(KeychainError) {
        let index = takeParameter()
        guard let bytes else { return try connection.require(sqlite3_bind_null(handle, index)) }
        guard !bytes.isEmpty else {
            return try connection.require(sqlite3_bind_zeroblob(handle, index, 0))
        }
        let code = bytes.withUnsafeBytes {
            csqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
        }
        try connection.require(code)
    }

    func bind(_ number: Int64, on connection: borrowing SQLiteConnection) throws(KeychainError) {
        try connection.require(sqlite3_bind_int64(handle, takeParameter(), number))
    }

    private func takeParameter() -> Int32 {
        defer { nextParameter += 1 }
        isClean = false
        return nextParameter
    }

    /// Runs to the next row; returns false after the last.
    func step(on connection: borrowing SQLiteConnection) throws(KeychainError) -> Bool {
        if !isEnd { try connection.interruption.check() }
        isClean = false
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = connection.error(code: code)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs a statement that returns no rows, and resets it.
    func run(on connection: borrowing SQLiteConnection) throws(KeychainError) {
        defer { reset() }
        while try step(on: connection) {}
    }

    func number(at column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    /// Returns the bytes of a column; nil for NULL.
    func bytes(at column: Int) -> [UInt8]? {
        let bytes = rawBytes(at: column)
        guard bytes.isEmpty else { return [UInt8](bytes) }
        return sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL ? nil : []
    }

    /// Returns the text of a column; nil for NULL.
    func text(at column: Int) -> String? {
        bytes(at: column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the bytes of a column in SQLite's memory, valid until the next step; empty for NULL.
    func rawBytes(at column: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, Int32(column))
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}
