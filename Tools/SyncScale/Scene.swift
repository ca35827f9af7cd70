import Foundation
import KeychainSync
import KeychainSyncDriver
import PostgreSQLRelay
import SyncRelay
import Synchronization

/// A server with databases for this run, which are removed when the value's life ends.
final class Scene: Sendable {
    /// The purpose of a database.
    enum Purpose: String, CaseIterable, Sendable {
        case relay, floor, filled, crowd
    }

    let server: ServerProcesses
    let turns: Turns
    private let serverPlace: String
    private let suffix = UUID().uuidString.prefix(8).lowercased()
    private let control: Database
    /// The connection strings of the databases that were created.
    private let places = Mutex<[Purpose: String]>([:])

    init(_ server: String, connectionCount: Int) throws {
        serverPlace = server
        control = try Database("\(server) dbname=postgres")
        // Earlier releases do not report a session's statistics at once.
        guard try control.number("SHOW server_version_num") >= 150_000 else {
            throw ScaleFailure("the server has to be PostgreSQL 15 or later")
        }
        self.server = try ServerProcesses(control)
        turns = Turns(threadCount: connectionCount)
    }

    deinit {
        for purpose in places.withLock({ $0.keys }) {
            _ = try? control.rows("DROP DATABASE IF EXISTS \(name(purpose)) WITH (FORCE)")
        }
    }

    private func name(_ purpose: Purpose) -> String { "scale_\(purpose.rawValue)_\(suffix)" }

    /// Returns the database for a purpose, with the relay's tables; the first call creates it.
    func place(_ purpose: Purpose) throws -> String {
        try places.withLock { places in
            if let place = places[purpose] { return place }
            try control.rows("CREATE DATABASE \(name(purpose))")
            let place = "\(serverPlace) dbname=\(name(purpose))"
            places[purpose] = place
            try PostgreSQLRelay(place, .zeros).prepare()
            return place
        }
    }

    /// Makes one turn of a device: it connects, runs the body, and disconnects.
    func turn(
        of device: ScaleDevice,
        _ book: TraceBook,
        _ body: (inout SyncDevice, MeasuredRelay) throws -> SyncReport
    ) throws {
        let start = ContinuousClock.now
        guard let account = try device.sync.membership()?.account else {
            throw SyncFailure.notJoined
        }
        let relay = MeasuredRelay(try PostgreSQLRelay(try place(.relay), account), account)
        let report = try body(&device.sync, relay)
        guard report.faults.isEmpty, report.notices.isEmpty else {
            throw ScaleFailure("\(device.name) noticed \(report)")
        }
        let (time, trace) = (start.duration(to: .now) / .seconds(1), relay.trace)
        book.note { content in
            content.turns.append(time)
            content.trace.add(trace)
            content.sentCount += report.sentCount
            content.receivedCount += report.receivedCount
        }
    }

    /// Measures the calls of devices, then the same rows through libpq alone.
    func phase(_ name: String, _ body: (TraceBook) throws -> Void) throws -> PhaseFigures {
        Progress.tell(name)
        let book = TraceBook()
        let floor = Floor(place: try place(.floor), connectionCount: turns.threadCount)
        _ = try place(.relay)
        let (own, others) = (MachineLoad.ownTime, server.time)
        let start = ContinuousClock.now
        try body(book)
        let wall = start.duration(to: .now) / .seconds(1)
        let (ownTime, serverTime) = (MachineLoad.ownTime - own, server.time - others)
        let content = book.content
        return PhaseFigures(
            name: name,
            wall: wall,
            ownTime: ownTime,
            serverTime: serverTime,
            turns: Spread(content.turns),
            content: content,
            floor: try floor.figures(of: content.trace)
        )
    }
}

/// Progress lines for the user.
enum Progress {
    static func tell(_ line: String) {
        FileHandle.standardError.write(Data("keychain-sync-scale: \(line)\n".utf8))
    }
}
