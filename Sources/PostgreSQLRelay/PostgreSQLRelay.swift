import KeychainSockets
import KeychainSync
import SyncRelay
import Synchronization

/// A relay in a PostgreSQL database, through libpq.
///
/// ```swift
/// let relay = try PostgreSQLRelay(PrivateFile.text(path), account)
/// ```
/// Connections are made when they are needed, and made again after they broke.
///
/// - Source: Documentation/Spec/relays.md §3.
package final class PostgreSQLRelay: Relay {
    private struct Pool: Sendable {
        /// The connection that receives notifications.
        ///
        /// It also serves requests while no thread waits with it. nil while a thread uses it.
        var listener: PostgreSQLConnection?
        /// Connections that are not in use.
        var idle: [PostgreSQLConnection] = []
        /// The server processes of the connections with which this relay wrote.
        var own: Set<Int32> = []
        /// The listings that were made at least once.
        var listed: Set<RelayListing> = []
        /// The listings that may have changed.
        var changed: Set<RelayListing> = []

        /// Takes the connection that listens.
        mutating func takeListener() -> PostgreSQLConnection? {
            defer { listener = nil }
            return listener
        }
    }

    private let connection: String
    private let account: AccountName
    private let pool = Mutex(Pool())
    private let interruption: RelayWait

    package let entryByteCountLimit = RelayLimit.entryByteCount
    package let batchLimit = BatchLimit(entryCount: 1 << 16, byteCount: 4 << 20)

    /// Makes a relay in a database.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq, which may name a service, a password file and
    ///     certificates; empty for the settings in the environment (`PGSERVICE`, `PGHOST`, …).
    ///   - account: The account of the streams.
    /// - Throws: `unreachable` if the process has too many descriptors.
    package init(_ connection: String, _ account: AccountName) throws(RelayError) {
        self.connection = connection
        self.account = account
        interruption = try RelayWait()
    }

    /// Creates missing tables, which requires the right to create tables in the schema.
    package func prepare() throws(RelayError) {
        let session = try PostgreSQLConnection(connection, nil)
        // Devices do not have that right if an administrator created the tables.
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
        // An earlier failure leaves nothing behind, because it ends the connection.
        _ = try session.run("COMMIT")
    }

    package func streams() throws(RelayError) -> [StreamName: Range<UInt64>] {
        try beginListening(to: .streams)
        let rows = try run(Statements.streams, place())
        guard rows.count <= RelayLimit.streamCount else {
            throw .damaged("more than \(RelayLimit.streamCount) streams")
        }
        var ranges: [StreamName: Range<UInt64>] = [:]
        for row in 0..<rows.count {
            let first = UInt64(clamping: try rows.number(row, 1))
            let next = UInt64(clamping: try rows.number(row, 2))
            guard let stream = StreamName(try rows.bytes(row, 0)), first < next else {
                throw .damaged("a row of the table of streams")
            }
            ranges[stream] = first..<next
        }
        return ranges
    }

    package func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]] {
        guard first < RelayLimit.number else { return [] }
        var parameters = place(stream, first)
        parameters.add(Int64(max(1, byteCountLimit)))
        let rows = try run(Statements.entries, parameters)
        var entries: [[UInt8]] = []
        for row in 0..<rows.count {
            // Numbers after a gap do not belong to the result.
            guard UInt64(clamping: try rows.number(row, 0)) == first + UInt64(row) else { break }
            entries.append(try rows.bytes(row, 1))
        }
        return entries
    }

    package func trim(_ stream: StreamName, below number: UInt64) throws(RelayError) {
        _ = try run(Statements.trim, place(stream, min(number, RelayLimit.number)))
    }

    package func remove(_ stream: StreamName) throws(RelayError) {
        _ = try run(Statements.remove, place(stream))
    }

    package func interrupt() { interruption.interrupt() }

    // MARK: - Appending

    package func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        try appendBatch(entries, to: stream, at: first, attemptCount: 16)
    }

    private func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64,
        attemptCount: Int
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
        // The first entries exist. The others follow them, or an entry before them is missing.
        let number = first + UInt64(presentCount)
        let next = try run(Statements.next, place(stream))
        guard next.count == 1, UInt64(clamping: try next.number(0, 0)) == number else {
            throw .gap(stream, number)
        }
        let rest = Array(entries[presentCount...])
        try appendBatch(rest, to: stream, at: number, attemptCount: attemptCount - 1)
    }

    /// Returns how many of the entries the relay already has, from the first on.
    private func compare(
        _ entries: [[UInt8]],
        _ stream: StreamName,
        _ first: UInt64
    ) throws(RelayError) -> Int {
        var parameters = place(stream, first)
        parameters.add(Int64(entries.count))
        let rows = try run(Statements.present, parameters)
        // A server may return more rows than were requested.
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
        let taken = pool.withLock { $0.takeListener() }
        guard let taken else { return try reconnect(until: deadline) }
        while true {
            do throws(RelayError) { try hear(taken) } catch {
                return try reconnect(until: deadline)
            }
            let hasNews = pool.withLock { !$0.changed.isDisjoint(with: $0.listed) }
            if hasNews || interruption.wait(for: taken.socket, until: deadline) != .ready {
                keep(listener: taken)
                return hasNews
            }
        }
    }

    /// Records the notifications of a connection.
    private func hear(_ listener: PostgreSQLConnection) throws(RelayError) {
        let notifications = try listener.notifications()
        pool.withLock { pool in
            for (listing, process) in notifications where !pool.own.contains(process) {
                pool.changed.insert(listing)
            }
        }
    }

    /// Connects repeatedly until it succeeds.
    ///
    /// - Returns: true, because changes meanwhile are unknown; false after an interrupt.
    private func reconnect(until deadline: Deadline) throws(RelayError) -> Bool {
        let new = try interruption.trying(until: deadline) { () throws(RelayError) in
            try listener(interruption)
        }
        guard let new else { return false }
        keep(listener: new)
        return true
    }

    /// Makes sure that notifications about later changes arrive.
    private func beginListening(to listing: RelayListing) throws(RelayError) {
        let taken = pool.withLock { $0.takeListener() }
        if let taken, (try? hear(taken)) != nil {
            keep(listener: taken)
        } else {
            keep(listener: try listener(nil))
        }
        pool.withLock { pool in
            pool.changed.remove(listing)
            pool.listed.insert(listing)
        }
    }

    private func listener(_ interruption: RelayWait?) throws(RelayError) -> PostgreSQLConnection {
        let session = try PostgreSQLConnection(connection, interruption)
        try checkVersion(session)
        _ = try session.run(Statements.listen(channel))
        // Earlier changes are unknown.
        pool.withLock { $0.changed = [.streams, .links] }
        return session
    }

    private func keep(listener: PostgreSQLConnection) {
        pool.withLock { $0.listener = listener }
    }

    // MARK: - Statements

    /// The notification channel of the account's devices.
    private var channel: String { "keychain_sync_\(account.hexadecimal)" }

    private func place(_ stream: StreamName? = nil, _ number: UInt64? = nil) -> Parameters {
        var parameters = Parameters()
        parameters.add(account.bytes)
        if let stream { parameters.add(stream.bytes) }
        if let number { parameters.add(Int64(clamping: number)) }
        return parameters
    }

    /// Runs a statement that can be repeated, and repeats it once if the connection has ended since
    /// its last use.
    private func run(
        _ statement: String,
        _ parameters: Parameters,
        isOwn: Bool = false
    ) throws(RelayError) -> PostgreSQLRows {
        let taken = pool.withLock { $0.takeListener() }
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
                // One listening connection is enough; another one would collect unread
                // notifications.
                case (true, true): pool.listener = pool.listener ?? session
                }
            }
        }
        return try session.run(statement, parameters)
    }

    private func checkVersion(_ session: PostgreSQLConnection) throws(RelayError) {
        let rows = try session.run(Statements.readVersion)
        let version = rows.count == 1 ? try rows.number(0, 0) : 0
        if version == 1 { throw .earlierVersion("the database") }
        guard version == Statements.version else {
            throw .refused("the database was prepared by another version")
        }
    }
}

// MARK: - Links
extension PostgreSQLRelay {
    package func links() throws(RelayError) -> [LinkPlace] {
        try beginListening(to: .links)
        let rows = try run(Statements.links, place())
        guard rows.count <= RelayLimit.linkCount else {
            throw .damaged("more than \(RelayLimit.linkCount) links")
        }
        var links: [LinkPlace] = []
        for row in 0..<rows.count {
            let number = UInt64(clamping: try rows.number(row, 0))
            guard let digest = SyncDigest(try rows.bytes(row, 1)) else {
                throw .damaged("a row of the table of links")
            }
            links.append(LinkPlace(number: number, digest: digest))
        }
        return links
    }

    package func stored(
        _ part: LinkPart,
        at places: [LinkPlace]
    ) throws(RelayError) -> [[UInt8]] {
        var parameters = place(part)
        parameters.add(places.map { Int64(clamping: $0.number) })
        parameters.add(places.map(\.digest.bytes))
        let rows = try run(Statements.stored, parameters)
        var stored = [[UInt8]](repeating: [], count: places.count)
        for row in 0..<rows.count {
            let number = try rows.number(row, 0)
            guard number >= 1, number <= places.count else {
                throw .damaged("the database returned what nobody asked for")
            }
            stored[Int(number) - 1] = try rows.bytes(row, 1)
        }
        return stored
    }

    package func store(
        _ part: LinkPart,
        _ bytes: [UInt8],
        at place: LinkPlace
    ) throws(RelayError) {
        var parameters = self.place(part)
        parameters.add(Int64(clamping: place.number))
        parameters.add(place.digest.bytes)
        parameters.add(bytes)
        parameters.add(channel)
        _ = try run(Statements.store, parameters, isOwn: true)
    }

    private func place(_ part: LinkPart) -> Parameters {
        var parameters = place()
        parameters.add(Int64(part.rawValue))
        return parameters
    }
}
