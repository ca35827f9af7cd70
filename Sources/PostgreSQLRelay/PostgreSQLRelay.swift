import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

/// A relay that is a PostgreSQL database, reached through libpq.
///
/// ```swift
/// let relay = try PostgreSQLRelay(PrivateFile.text(path), account)
/// ```
/// Connections are made when they are needed, and made again after they broke.
///
/// - Source: Documentation/Spec/relays.md §3.
package final class PostgreSQLRelay: Relay {
    /// More bytes than this are not sent with one statement, unless one entry has more.
    private static let batchByteCount = 4 << 20

    private struct Pool: Sendable {
        /// The one that hears of changes, and serves requests while nobody waits with it; nil while
        /// a thread has it.
        var listener: PostgreSQLConnection?
        /// Others that nobody uses now.
        var idle: [PostgreSQLConnection] = []
        /// The server's processes behind connections that this value appended with.
        var own: Set<Int32> = []
    }

    private let connection: String
    private let account: AccountName
    private let pool = Mutex(Pool())
    private let interruption: RelayWait

    package let entryByteCountLimit = RelayLimit.entryByteCount

    /// A relay in this database.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq, which may name a service, a file of passwords
    ///     and certificates; empty for what the environment says (`PGSERVICE`, `PGHOST`, …).
    ///   - account: Whose streams they are.
    /// - Throws: `unreachable` where the process has too many descriptors.
    package init(_ connection: String, _ account: AccountName) throws(RelayError) {
        self.connection = connection
        self.account = account
        interruption = try RelayWait()
    }

    /// Makes the tables if there are none, which needs the right to make tables in the schema.
    package func prepare() throws(RelayError) {
        let session = try PostgreSQLConnection(connection, nil)
        // Devices have no such right where somebody else made the tables.
        let table = try session.run(Statements.findVersion)
        guard try table.bytes(0, 0) == [0] else { return try checkVersion(session) }
        _ = try session.run("BEGIN")
        var lock = Parameters()
        lock.add(Statements.lock)
        _ = try session.run(Statements.takeLock, lock)
        for table in Statements.tables { _ = try session.run(table) }
        var version = Parameters()
        version.add(Statements.version)
        _ = try session.run(Statements.addVersion, version)
        try checkVersion(session)
        // Whatever failed before this leaves nothing behind: the connection ends.
        _ = try session.run("COMMIT")
    }

    package func streams() throws(RelayError) -> [PeerName: Range<UInt64>] {
        try beginListening()
        let rows = try run(Statements.streams, place())
        var ranges: [PeerName: Range<UInt64>] = [:]
        for row in 0..<rows.count {
            let first = UInt64(clamping: try rows.number(row, 1))
            let next = UInt64(clamping: try rows.number(row, 2))
            guard let stream = PeerName(try rows.bytes(row, 0)), first < next else {
                throw .damaged("a row of the table of streams")
            }
            ranges[stream] = first..<next
        }
        return ranges
    }

    package func entries(
        of stream: PeerName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        guard first < RelayLimit.number else { return [] }
        var parameters = place(stream, first)
        parameters.add(Int64(max(1, byteCountLimit)))
        let rows = try run(Statements.entries, parameters)
        var entries: [[UInt8]] = []
        for row in 0..<rows.count {
            // Numbers after a hole are not those that a reader asks for.
            guard UInt64(clamping: try rows.number(row, 0)) == first + UInt64(row) else { break }
            entries.append(try rows.bytes(row, 1))
        }
        return entries
    }

    package func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError) {
        try append(contentsOf: [entry], to: stream, at: number)
    }

    package func append(
        contentsOf entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError) {
        guard entries.allSatisfy({ $0.count <= entryByteCountLimit }) else {
            throw .tooLarge(limit: entryByteCountLimit)
        }
        try RelayLimit.check(first, count: entries.count)
        var rest = entries[...]
        while !rest.isEmpty {
            var byteCount = 0
            let batch = rest.prefix { entry in
                defer { byteCount += entry.count }
                return byteCount == 0 || byteCount + entry.count <= Self.batchByteCount
            }
            try appendBatch(Array(batch), to: stream, at: first + UInt64(batch.startIndex))
            rest = rest[batch.endIndex...]
        }
    }

    package func trim(_ stream: PeerName, below number: UInt64) throws(RelayError) {
        _ = try run(Statements.trim, place(stream, min(number, RelayLimit.number)))
    }

    package func interrupt() { interruption.interrupt() }

    // MARK: - Appending

    private func appendBatch(
        _ entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64,
        attemptCount: Int = 16
    ) throws(RelayError) {
        guard attemptCount > 0 else {
            throw .unreachable("the database takes no entry, and says nothing against it")
        }
        var parameters = place(stream, first)
        parameters.add(entries)
        parameters.add(Int64(entries.count))
        parameters.add(channel)
        if try run(Statements.append, parameters, isOwn: true).count == 1 { return }
        let presentCount = try compare(entries, stream, first)
        guard presentCount < entries.count else { return }
        // The first ones were there; the others follow them, or the relay lacks one before.
        let number = first + UInt64(presentCount)
        let next = try run(Statements.next, place(stream))
        guard next.count == 1, UInt64(clamping: try next.number(0, 0)) == number else {
            throw .gap(stream, number)
        }
        let rest = Array(entries[presentCount...])
        try appendBatch(rest, to: stream, at: number, attemptCount: attemptCount - 1)
    }

    /// How many of the entries the relay has already, beginning with the first.
    private func compare(
        _ entries: [[UInt8]],
        _ stream: PeerName,
        _ first: UInt64
    ) throws(RelayError) -> Int {
        var parameters = place(stream, first)
        parameters.add(Int64(entries.count))
        let rows = try run(Statements.present, parameters)
        // A server may say more than it was asked.
        let count = min(rows.count, entries.count)
        for row in 0..<count {
            guard UInt64(clamping: try rows.number(row, 0)) == first + UInt64(row) else {
                return row
            }
            guard try rows.bytes(row, 1) == entries[row] else {
                throw .occupied(stream, first + UInt64(row))
            }
        }
        return count
    }

    // MARK: - Waiting

    package func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool {
        let deadline = Deadline.after(limit)
        let taken = pool.withLock { pool in
            defer { pool.listener = nil }
            return pool.listener
        }
        guard let taken else { return try reconnect(until: deadline) }
        while true {
            do throws(RelayError) {
                let own = pool.withLock { $0.own }
                if try taken.notifiers().contains(where: { !own.contains($0) }) {
                    keep(listener: taken)
                    return true
                }
            } catch {
                return try reconnect(until: deadline)
            }
            let end = interruption.wait(for: taken.socket, until: deadline)
            if end != .ready {
                keep(listener: taken)
                return false
            }
        }
    }

    /// Connects again and again, at longer and longer intervals.
    ///
    /// - Returns: `true`, because nobody knows what happened meanwhile; `false` if interrupted.
    private func reconnect(until deadline: Deadline) throws(RelayError) -> Bool {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(RelayError) {
                keep(listener: try listener(interruption))
                return true
            } catch {
                guard case .unreachable = error, !deadline.isOver else { throw error }
                let end = Deadline.after(pause)
                let isLast = deadline.pollMilliseconds < end.pollMilliseconds
                let next = interruption.wait(until: isLast ? deadline : end)
                if next == .interrupted { return false }
                pause = min(pause * 2, .seconds(5))
            }
        }
    }

    private func beginListening() throws(RelayError) {
        let taken = pool.withLock { pool in
            defer { pool.listener = nil }
            return pool.listener
        }
        if let taken, (try? taken.notifiers()) != nil { return keep(listener: taken) }
        keep(listener: try listener(nil))
    }

    private func listener(_ interruption: RelayWait?) throws(RelayError) -> PostgreSQLConnection {
        let session = try PostgreSQLConnection(connection, interruption)
        try checkVersion(session)
        _ = try session.run(Statements.listen(channel))
        return session
    }

    private func keep(listener: PostgreSQLConnection) {
        pool.withLock { $0.listener = listener }
    }

    // MARK: - Statements

    /// What the account's peers listen to.
    private var channel: String { "keychain_sync_\(account.hexadecimal)" }

    private func place(_ stream: PeerName? = nil, _ number: UInt64? = nil) -> Parameters {
        var parameters = Parameters()
        parameters.add(account.bytes)
        if let stream { parameters.add(stream.bytes) }
        if let number { parameters.add(Int64(clamping: number)) }
        return parameters
    }

    /// Runs a statement that may be repeated, which happens once if a connection turns out to have
    /// ended since its last use.
    private func run(
        _ statement: String,
        _ parameters: Parameters,
        isOwn: Bool = false
    ) throws(RelayError) -> PostgreSQLRows {
        let taken = pool.withLock { pool in
            defer { pool.listener = nil }
            return pool.listener
        }
        let known = taken ?? pool.withLock { $0.idle.popLast() }
        if let known {
            do throws(RelayError) {
                return try run(statement, parameters, isOwn, known, listens: taken != nil)
            } catch {
                guard !known.isUsable else { throw error }
            }
        }
        let new = try PostgreSQLConnection(connection, nil)
        try checkVersion(new)
        return try run(statement, parameters, isOwn, new, listens: false)
    }

    private func run(
        _ statement: String,
        _ parameters: Parameters,
        _ isOwn: Bool,
        _ session: PostgreSQLConnection,
        listens: Bool
    ) throws(RelayError) -> PostgreSQLRows {
        let process = session.serverProcess
        if isOwn { _ = pool.withLock { $0.own.insert(process) } }
        defer {
            let isUsable = session.isUsable
            pool.withLock { pool in
                switch (isUsable, listens) {
                case (false, _): pool.own.remove(process)
                case (true, false): pool.idle.append(session)
                // One that listens is enough: the other would collect what nobody reads.
                case (true, true): pool.listener = pool.listener ?? session
                }
            }
        }
        return try session.run(statement, parameters)
    }

    private func checkVersion(_ session: PostgreSQLConnection) throws(RelayError) {
        let rows = try session.run(Statements.readVersion)
        guard rows.count == 1, try rows.number(0, 0) == Statements.version else {
            throw .refused("the database was prepared by another version")
        }
    }
}
