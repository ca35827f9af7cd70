import SyncRelay

@_implementationOnly import CPostgreSQL

/// The result of a statement.
final class PostgreSQLRows {
    private let library: PostgreSQLLibrary
    private let result: OpaquePointer

    init(_ result: OpaquePointer, _ library: PostgreSQLLibrary) {
        self.result = result
        self.library = library
    }

    deinit { library.clear(result) }

    var count: Int { Int(library.rowCount(result)) }

    /// Whether the result is the start of a copy, which libpq would return again and again.
    var isCopy: Bool {
        let status = library.resultStatus(result)
        return status == PGRES_COPY_OUT || status == PGRES_COPY_IN || status == PGRES_COPY_BOTH
    }

    /// The error of the statement; nil if it succeeded.
    var failure: RelayError? {
        switch library.resultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
        default:
            // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY
            let state = field("C") ?? "08000"
            return Self.failure(state, field("M") ?? "the connection ended")
        }
    }

    private func field(_ code: Character) -> String? {
        guard let byte = code.asciiValue,
            let text = library.resultField(result, Int32(byte))
        else { return nil }
        return String(cString: text)
    }

    /// Returns the error for a state.
    ///
    /// - Source: PostgreSQL's appendix of error codes.
    private static func failure(_ state: String, _ words: String) -> RelayError {
        let text = "\(words) (\(state))"
        switch (state.prefix(2), state) {
        case (_, "42P01"), (_, "3F000"):
            return .refused("the database is not prepared: \(text)")
        // Connection errors, too many connections, conflicts, a server that stops or starts, time
        // limits.
        case ("08", _), (_, "53300"), ("40", _), (_, "55P03"), ("57", _), ("58", _):
            return .unreachable(text)
        case ("XX", _): return .damaged(text)
        default: return .refused(text)
        }
    }

    /// Returns the bytes of a value.
    ///
    /// - Throws: `damaged` for a null, and for a missing column.
    func bytes(_ row: Int, _ column: Int) throws(RelayError) -> [UInt8] {
        let (row, column) = (Int32(row), Int32(column))
        guard column < library.columnCount(result), library.isNull(result, row, column) == 0,
            let start = library.value(result, row, column)
        else { throw .damaged("the database returned no value") }
        let count = Int(library.valueLength(result, row, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns the value of a `bigint`.
    func number(_ row: Int, _ column: Int) throws(RelayError) -> Int64 {
        let bytes = try bytes(row, column)
        guard bytes.count == 8 else { throw .damaged("a number of \(bytes.count) bytes") }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
