import KeychainSync
import PostgreSQLRelay

/// The server's plan for one of the relay's own statements.
struct QueryPlan: Sendable {
    /// ★ The statements that devices repeat, and the types of their parameters.
    static let statements: [(name: String, text: String, types: String)] = [
        ("list", Statements.streams, "bytea"),
        ("read", Statements.entries, "bytea, bytea, bigint, bigint"),
    ]

    let name: String
    let lines: [String]

    /// Explains a statement for one stream, with the number of pages that it read.
    init(
        _ statement: (name: String, text: String, types: String),
        _ account: AccountName,
        _ stream: StreamName,
        _ database: Database
    ) throws {
        name = statement.name
        try database.rows("PREPARE plan (\(statement.types)) AS \(statement.text)")
        let all = ["'\\x\(account.hexadecimal)'", "'\\x\(stream.hexadecimal)'", "0", "8388608"]
        let count = statement.types.split(separator: ",").count
        let values = all.prefix(count).joined(separator: ", ")
        let options = "ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF"
        lines = try database.rows("EXPLAIN (\(options)) EXECUTE plan (\(values))").map { $0[0] }
        try database.rows("DEALLOCATE plan")
    }

    private var words: [Substring] { lines.flatMap { $0.split(separator: " ") } }

    /// The partitions in the plan, whose names end in a number.
    var partitions: Set<String> {
        let names = words.filter {
            $0.hasPrefix("keychain_sync_") && $0.last?.isNumber == true
        }
        return Set(names.map(String.init))
    }

    /// The indexes in the plan.
    var indexes: Set<String> { Set(words.filter { $0.hasSuffix("_pkey") }.map(String.init)) }

    /// The number of 8-KiB pages that the whole statement read.
    var pageCount: Int {
        guard let line = lines.first(where: { $0.contains("Buffers: shared") }) else { return 0 }
        return line.split(separator: " ").reduce(0) { sum, word in
            guard word.hasPrefix("hit=") || word.hasPrefix("read=") else { return sum }
            return sum + (word.split(separator: "=").last.flatMap { Int($0) } ?? 0)
        }
    }
}
