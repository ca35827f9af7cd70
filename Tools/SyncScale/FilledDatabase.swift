import KeychainSync
import PostgreSQLRelay
import SyncRelay

/// A database with rows for many accounts, made by SQL: three streams with one entry each.
struct FilledDatabase {
    /// The size of an entry with one change (sync.md §3.1).
    static let entryByteCount = 1254
    private static let streamCount = 3
    private static let portion = 100_000

    struct Figures: Sendable {
        let accountCount: Int
        let fillTime: Double
        let facts: TableFacts
        let list: Spread
        let read: Spread
        let append: Spread
        let plans: [QueryPlan]
        /// The searches of partitions during the calls.
        let searches: [TableFacts.Searches]
    }

    let scene: Scene
    let sampleCount: Int
    private let database: Database

    init(_ scene: Scene, sampleCount: Int) throws {
        self.scene = scene
        self.sampleCount = sampleCount
        database = try Database(scene.place(.filled))
        // Rows made by SQL need not survive a loss of power; those of devices do.
        try database.rows("SET synchronous_commit = off")
    }

    private static func account(_ number: String) -> String {
        "substring(sha256(convert_to(\(number)::text, 'UTF8')) FOR 16)"
    }

    /// Returns the SQL for a stream's name of 40 bytes.
    private static func stream(_ number: String) -> String {
        let digest = "sha256(convert_to(\(number)::text, 'UTF8'))"
        return "\(digest) || substring(\(digest) FOR 8)"
    }

    /// Adds rows until each of these numbers of accounts is reached, and measures some accounts.
    func figures(of counts: [Int]) throws -> [Figures] {
        var figures: [Figures] = []
        var present = 0
        for count in counts {
            Progress.tell("rows of \(count) accounts")
            let start = ContinuousClock.now
            for first in stride(from: present, to: count, by: Self.portion) {
                try fill(first, min(first + Self.portion, count))
            }
            present = count
            let time = start.duration(to: .now) / .seconds(1)
            try database.rows("VACUUM ANALYZE")
            try database.rows("CHECKPOINT")
            figures.append(try sample(of: count, time))
        }
        return figures
    }

    private func fill(_ first: Int, _ end: Int) throws {
        let rows = """
            SELECT \(Self.account("i")) AS account, \(Self.stream("i || '/' || j")) AS stream
            FROM generate_series(\(first), \(end - 1)) AS i,
                generate_series(1, \(Self.streamCount)) AS j
            """
        try database.rows("BEGIN")
        try database.rows(
            """
            INSERT INTO keychain_sync_streams SELECT account, stream, 0, 1 FROM (\(rows)) AS made
            """
        )
        try database.rows(
            """
            INSERT INTO keychain_sync_entries SELECT account, stream, 0,
                convert_to(repeat('x', \(Self.entryByteCount)), 'UTF8') FROM (\(rows)) AS made
            """
        )
        try database.rows("COMMIT")
    }

    /// Measures some accounts; each one connects and reads everything once before.
    private func sample(of count: Int, _ fillTime: Double) throws -> Figures {
        var calls: [RelayCall: [Double]] = [:]
        var plans: [QueryPlan] = []
        try TableFacts.forgetSearches(database)
        for _ in 0..<sampleCount {
            let number = Int.random(in: 0..<count)
            let text = try database.rows("SELECT encode(\(Self.account("\(number)")), 'hex')")
            guard let name = text.first?.first, let account = AccountName(hexadecimal: name) else {
                throw ScaleFailure("an account has no name")
            }
            let (times, stream) = try Self.times(of: account, at: scene.place(.filled))
            calls.merge(times) { $0 + $1 }
            guard plans.isEmpty else { continue }
            plans = try QueryPlan.statements.map {
                try QueryPlan($0, account, stream, database)
            }
        }
        let searches = try TableFacts.searches(database)
        return Figures(
            accountCount: count,
            fillTime: fillTime,
            facts: try TableFacts(database),
            list: Spread(calls[.list] ?? []),
            read: Spread(calls[.read] ?? []),
            append: Spread(calls[.append] ?? []),
            plans: plans,
            searches: searches
        )
    }

    private static func times(
        of account: AccountName,
        at place: String
    ) throws -> ([RelayCall: [Double]], StreamName) {
        let entry = [UInt8](repeating: 0xA5, count: entryByteCount)
        let relay = MeasuredRelay(try PostgreSQLRelay(place, account), account)
        // At the first call, the server looks up its tables.
        _ = try ask(relay, entry)
        let stream = try ask(relay, entry)
        return (relay.trace.times.mapValues { Array($0.suffix(1)) }, stream)
    }

    /// Lists, reads and appends.
    private static func ask(_ relay: some Relay, _ entry: [UInt8]) throws -> StreamName {
        let streams = try relay.streams()
        guard streams.count == streamCount, let stream = streams.keys.min(),
            let range = streams[stream],
            try relay.entries(of: stream, from: 0, byteCountLimit: 8 << 20).count == range.count
        else { throw ScaleFailure("an account has not what was made") }
        try relay.append(entry, to: stream, at: range.upperBound)
        return stream
    }
}

extension FilledDatabase.Figures {
    static let head = [
        "accounts", "entries", "tables", "indexes", "bytes an account", "list, ms", "read, ms",
        "append, ms", "pages: list, read", "made in",
    ]

    var row: [String] {
        [
            "\(accountCount)", "\(facts.entryCount)", Words.mebibytes(facts.tableByteCount),
            Words.mebibytes(facts.indexByteCount),
            "\((facts.tableByteCount + facts.indexByteCount) / max(1, accountCount))",
            Words.spread(list), Words.spread(read), Words.spread(append),
            plans.map { "\($0.pageCount)" }.joined(separator: ", "), Words.seconds(fillTime),
        ]
    }
}
