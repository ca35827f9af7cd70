import KeychainSync

/// The least time for the rows of a phase: libpq alone inserts and reads them.
///
/// The tables, the batches and the sizes are those of the relay. There is no record of a stream, no
/// comparison and no notification, and connections stay open. All bytes are equal.
struct Floor: Sendable {
    struct Figures: Sendable {
        /// Seconds from the start to the end of all.
        var insertWall = 0.0
        var readWall = 0.0
        /// The time of each statement.
        var inserts = Spread([])
        var reads = Spread([])

        var wall: Double { insertWall + readWall }
        var callTime: Double { inserts.total + reads.total }
    }

    private static let insert = """
        INSERT INTO keychain_sync_entries (account, stream, number, entry)
        SELECT $1, $2, $3 + row.place - 1, row.entry
        FROM unnest($4) WITH ORDINALITY AS row (entry, place)
        """
    private static let read = """
        SELECT number, entry FROM keychain_sync_entries
        WHERE account = $1 AND stream = $2 AND number >= $3 ORDER BY number LIMIT $4
        """

    /// A connection string of a database with the relay's tables.
    let place: String
    let connectionCount: Int

    /// Inserts the entries that were appended, then reads those that were read.
    func figures(of trace: RelayTrace) throws -> Figures {
        var figures = Figures()
        (figures.insertWall, figures.inserts) = try replay(trace.appended) { database, run in
            let entries = run.sizes.map { [UInt8](repeating: 0xA5, count: $0) }
            let values = Self.place(of: run) + [Self.array(entries)]
            _ = try database.run(Self.insert, [17, 17, 20, 1001], values)
        }
        (figures.readWall, figures.reads) = try replay(trace.read) { database, run in
            let values = Self.place(of: run) + [Self.bytes(Int64(run.sizes.count))]
            let count = try database.run(Self.read, [17, 17, 20, 20], values)
            // Entries that the devices trimmed still exist here.
            guard count == run.sizes.count else {
                throw ScaleFailure("the floor read \(count) of \(run.sizes.count) rows")
            }
        }
        return figures
    }

    private func replay(
        _ runs: [EntryRun],
        _ body: @escaping @Sendable (Database, EntryRun) throws -> Void
    ) throws -> (wall: Double, calls: Spread) {
        let parts = (0..<connectionCount).map { part in
            stride(from: part, to: runs.count, by: connectionCount).map { runs[$0] }
        }
        let work = try parts.map { ($0, try Database(place)) }
        let book = TraceBook()
        let start = ContinuousClock.now
        try Turns(threadCount: connectionCount).run(work) { runs, database in
            var times: [Double] = []
            for run in runs {
                let start = ContinuousClock.now
                try body(database, run)
                times.append(start.duration(to: .now) / .seconds(1))
            }
            let all = times
            book.note { $0.turns += all }
        }
        return (start.duration(to: .now) / .seconds(1), Spread(book.content.turns))
    }

    private static func place(of run: EntryRun) -> [[UInt8]] {
        [run.account.bytes, run.stream.bytes, bytes(Int64(clamping: run.first))]
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Returns a `bytea[]` of one dimension.
    private static func array(_ values: [[UInt8]]) -> [UInt8] {
        var array = bytes(Int32(1)) + bytes(Int32(0)) + bytes(UInt32(17))
        array += bytes(Int32(values.count)) + bytes(Int32(1))
        for value in values { array += bytes(Int32(value.count)) + value }
        return array
    }
}
