@_implementationOnly import CPostgreSQL

/// A connection with a server, through libpq alone.
///
/// `@unchecked Sendable` is correct because each thread has its own connection.
final class Database: @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ place: String) throws(ScaleFailure) {
        guard let connection = PQconnectdb(place) else { throw ScaleFailure("no memory") }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else { throw failure() }
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    private func failure() -> ScaleFailure {
        ScaleFailure(PQerrorMessage(connection).map { String(cString: $0) } ?? "libpq failed")
    }

    /// Returns the rows of a statement, as texts.
    @discardableResult
    func rows(_ statement: String) throws(ScaleFailure) -> [[String]] {
        let result = PQexec(connection, statement)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
        default: throw failure()
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetvalue(result, row, column).map { String(cString: $0) } ?? ""
            }
        }
    }

    func number(_ statement: String) throws(ScaleFailure) -> Int {
        guard let number = Int(try rows(statement).first?.first ?? "") else {
            throw ScaleFailure("no number: \(statement)")
        }
        return number
    }

    /// Runs a statement with binary parameters.
    ///
    /// - Returns: The number of rows that it returned or changed.
    func run(
        _ statement: String,
        _ types: [UInt32],
        _ values: [[UInt8]]
    ) throws(ScaleFailure) -> Int {
        let lengths = values.map { Int32($0.count) }
        let formats = [Int32](repeating: 1, count: values.count)
        let starts = lengths.reduce(into: [0]) { $0.append(($0.last ?? 0) + Int($1)) }
        let bytes = Array(values.joined())
        let result = bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = starts.dropLast().map { offset in base.map { $0 + offset } }
            let count = Int32(values.count)
            return PQexecParams(
                connection,
                statement,
                count,
                types,
                pointers,
                lengths,
                formats,
                1
            )
        }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK: return Int(PQntuples(result))
        case PGRES_COMMAND_OK: return 0
        default: throw failure()
        }
    }
}
