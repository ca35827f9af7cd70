import Glibc
import KeychainSockets
import SyncRelay

@_implementationOnly import CPostgreSQL

/// A connection to a database.
///
/// `@unchecked Sendable`: a connection belongs to the thread that took it from the pool. It returns
/// to the pool when that thread has finished.
final class PostgreSQLConnection: @unchecked Sendable {
    /// The time limit for any reply of the server.
    private static let patience = Duration.seconds(75)
    private static let connectionPatience = Duration.seconds(10)

    private let library: PostgreSQLLibrary
    private let connection: OpaquePointer
    /// Whether the results of a statement were not read, so that no other can be sent.
    private var isAbandoned = false

    /// Connects, and configures the session.
    ///
    /// - Parameters:
    ///   - text: A connection string of libpq; empty for the settings in the environment.
    ///   - interruption: Interrupts an attempt to connect.
    /// - Throws: `unreachable`, `refused`.
    init(_ text: String, _ interruption: RelayWait?) throws(RelayError) {
        library = try PostgreSQLLibrary()
        // libpq uses the last of several values for a setting: that of the connection string.
        let settings = [
            ("fallback_application_name", "keychain-sync"), ("client_encoding", "UTF8"),
            ("keepalives_idle", "30"), ("tcp_user_timeout", "60000"), ("dbname", text),
        ]
        let names = settings.map { UnsafePointer(strdup($0.0)) } + [nil]
        let values = settings.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { (names + values).forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        guard let connection = library.connect(names, values, 1) else {
            throw .unreachable("libpq has no memory")
        }
        self.connection = connection
        _ = library.setNotices(connection, { _, _ in }, nil)
        try connect(interruption)
        guard library.setNonblocking(connection, 1) == 0 else { throw failure() }
        _ = try run(Statements.settings)
    }

    deinit { library.finish(connection) }

    private func connect(_ interruption: RelayWait?) throws(RelayError) {
        let deadline = Deadline.after(Self.connectionPatience)
        var events = POLLOUT
        while library.status(connection) != CONNECTION_BAD {
            let socket = library.socket(connection)
            let end = wait(for: socket, events, until: deadline, interruption)
            // A thread that waits beyond this attempt must also get the interrupt.
            if end == .interrupted { interruption?.interrupt() }
            guard end == .ready else { throw .unreachable("the server does not answer") }
            switch library.goOn(connection) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: events = POLLIN
            case PGRES_POLLING_WRITING: events = POLLOUT
            default:
                let words = message
                let isPassword = library.usedPassword(connection) == 1
                throw isPassword ? .refused(words) : .unreachable(words)
            }
        }
        throw .unreachable(message)
    }

    private func wait(
        for socket: Int32,
        _ events: Int32,
        until deadline: Deadline,
        _ interruption: RelayWait? = nil
    ) -> RelayWait.End {
        if let interruption {
            return interruption.wait(for: socket, events: events, until: deadline)
        }
        var one = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            let count = poll(&one, 1, deadline.pollMilliseconds)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? .ready : .timeIsOver
        }
    }

    /// The descriptor that becomes readable when the server sends something.
    var socket: Int32 { library.socket(connection) }

    /// The server process for this connection.
    var serverProcess: Int32 { library.serverProcess(connection) }

    /// Whether the connection can be used again.
    var isUsable: Bool { !isAbandoned && library.status(connection) == CONNECTION_OK }

    private var message: String {
        guard let text = library.message(connection) else { return "no reason is known" }
        let lines = String(cString: text).split(whereSeparator: \.isNewline)
        return lines.map { $0.trimmed }.joined(separator: "; ")
    }

    private func failure() -> RelayError { .unreachable(message) }

    // MARK: - Statements

    /// Runs one statement.
    func run(
        _ statement: String,
        _ parameters: Parameters = Parameters()
    ) throws(RelayError) -> PostgreSQLRows {
        isAbandoned = true
        try send(statement, parameters)
        try flush()
        var rows: PostgreSQLRows?
        while let next = try nextResult() {
            // The statement requests no copy, which would have no end.
            guard !next.isCopy else { throw .damaged("the database answers with a copy") }
            // One statement has one result; results after an error have no meaning.
            if rows == nil { rows = next }
        }
        isAbandoned = false
        guard let rows else { throw failure() }
        if let failure = rows.failure { throw failure }
        return rows
    }

    private func send(_ statement: String, _ parameters: Parameters) throws(RelayError) {
        let code = parameters.bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = parameters.starts.map { offset in start.map { $0 + offset } }
            let formats = [Int32](repeating: 1, count: values.count)
            let count = Int32(values.count)
            let (types, lengths) = (parameters.types, parameters.lengths)
            return library.send(
                connection,
                statement,
                count,
                types,
                values,
                lengths,
                formats,
                1
            )
        }
        guard code == 1 else { throw failure() }
    }

    private func flush() throws(RelayError) {
        while true {
            let code = library.flush(connection)
            if code == 0 { return }
            guard code == 1 else { throw failure() }
            let deadline = Deadline.after(Self.patience)
            guard wait(for: socket, POLLIN | POLLOUT, until: deadline) == .ready else {
                throw .unreachable("the server takes nothing")
            }
            guard library.receive(connection) == 1 else { throw failure() }
        }
    }

    private func nextResult() throws(RelayError) -> PostgreSQLRows? {
        while library.isBusy(connection) == 1 {
            let deadline = Deadline.after(Self.patience)
            guard wait(for: socket, POLLIN, until: deadline) == .ready else {
                throw .unreachable("the server does not answer")
            }
            guard library.receive(connection) == 1 else { throw failure() }
        }
        return library.result(connection).map { PostgreSQLRows($0, library) }
    }

    // MARK: - Notifications

    /// Returns the notifications since the last call, with the server processes that sent them.
    func notifications() throws(RelayError) -> [(listing: RelayListing, process: Int32)] {
        guard library.receive(connection) == 1 else { throw failure() }
        var notifications: [(listing: RelayListing, process: Int32)] = []
        while let notification = library.notification(connection) {
            let isLink = notification.pointee.extra.map { String(cString: $0) } == "links"
            notifications.append((isLink ? .links : .streams, notification.pointee.be_pid))
            library.free(notification)
        }
        guard isUsable else { throw failure() }
        return notifications
    }
}

extension Substring {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
