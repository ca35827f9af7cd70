import Cryptography
import Foundation
import KeychainSync
import SyncRelay
import Synchronization
import Testing

@testable import EtcdRelay
@testable import PostgreSQLRelay
@testable import RemoteRelay
@testable import SyncRelay

/// A relay of one test: an account of its own, and as many connections as it wants.
final class RelayStage: Sendable {
    let kind: RelayKind
    let account: AccountName
    /// A stream, and another one.
    let stream = RelayStage.name(1)
    let other = RelayStage.name(2)
    let server: MemoryRelayServer
    /// The directory of the relay, if it is one.
    let path: String
    private let ownsPath: Bool
    private let memoryRelays = Mutex<[MemoryRelay]>([])

    /// An account that nobody has used.
    convenience init(_ kind: RelayKind) throws {
        let random = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let base = FileManager.default.temporaryDirectory.path
        let path = base + "/relay-" + UUID().uuidString.prefix(8)
        self.init(kind, AccountName(unchecked: random), path, ownsPath: true)
        try relay().prepare()
    }

    private init(_ kind: RelayKind, _ account: AccountName, _ path: String, ownsPath: Bool) {
        self.kind = kind
        self.account = account
        self.path = path
        self.ownsPath = ownsPath
        server = MemoryRelayServer()
    }

    deinit { if ownsPath { try? FileManager.default.removeItem(atPath: path) } }

    static func name(_ number: UInt8) -> StreamName {
        StreamName(unchecked: [UInt8](repeating: number, count: StreamName.byteCount))
    }

    /// A connection of its own.
    func relay() throws -> any Relay {
        switch kind {
        case .memory:
            let relay = try MemoryRelay(server, account)
            memoryRelays.withLock { $0.append(relay) }
            return relay
        case .directory, .directoryRenamed, .directoryLinked, .directoryExamined:
            return try DirectoryRelay(path, account, kind.naming)
        case .postgreSQL:
            return try PostgreSQLRelay(PostgreSQLServer.shared.get().connection, account)
        case .etcd:
            return try EtcdRelay(EtcdPlace([EtcdServer.shared.get().endpoint]), account)
        case .memoryRemote:
            let relay = try MemoryRelay(server, account)
            memoryRelays.withLock { $0.append(relay) }
            let place = RelayPlace(.postgreSQL, account, [path])
            return RemoteRelay(place, ThreadLauncher { _ in relay })
        case .postgreSQLRemote:
            return try Self.remote(.postgreSQL, PostgreSQLServer.shared.get().connection, account)
        case .etcdRemote:
            return try Self.remote(.etcd, EtcdServer.shared.get().endpoint, account)
        }
    }

    /// A relay that the program serves.
    private static func remote(
        _ server: RelayPlace.Server,
        _ text: String,
        _ account: AccountName
    ) -> RemoteRelay {
        RemoteRelay(RelayPlace(server, account, [text]), RelayProgram(path: relayProgramPath))
    }

    /// Puts the server out of reach.
    func stop() throws {
        switch kind {
        case .postgreSQL, .postgreSQLRemote: try PostgreSQLServer.shared.get().stop()
        case .etcd, .etcdRemote: try EtcdServer.shared.get().stop()
        default: memoryRelays.withLock { $0.forEach { $0.network.isOffline = true } }
        }
    }

    /// Puts it within reach again.
    func start() throws {
        switch kind {
        case .postgreSQL, .postgreSQLRemote: try PostgreSQLServer.shared.get().start()
        case .etcd, .etcdRemote: try EtcdServer.shared.get().start()
        default: memoryRelays.withLock { $0.forEach { $0.network.isOffline = false } }
        }
    }

    // MARK: - For a process of its own

    /// The file that tells a child of this process where the relay is.
    private static func notePath(parent: pid_t) -> String {
        FileManager.default.temporaryDirectory.path + "/relay-stage-\(parent)"
    }

    /// Writes down where a child finds the relay.
    func leaveNote() throws {
        let place: String
        switch kind {
        case .postgreSQL, .postgreSQLRemote: place = try PostgreSQLServer.shared.get().connection
        case .etcd, .etcdRemote: place = try EtcdServer.shared.get().endpoint
        default: place = path
        }
        let note = [kind.rawValue, account.hexadecimal, place].joined(separator: "\n")
        try note.write(toFile: Self.notePath(parent: getpid()), atomically: true, encoding: .utf8)
    }

    static func removeNote() { unlink(notePath(parent: getpid())) }

    /// The relay that the parent of this process wrote down.
    static func noted() throws -> any Relay {
        let note = try String(contentsOfFile: notePath(parent: getppid()), encoding: .utf8)
        let parts = note.split(separator: "\n").map(String.init)
        let kind = try #require(RelayKind(rawValue: parts[0]))
        let account = try #require(AccountName(hexadecimal: parts[1]))
        switch kind {
        case .postgreSQL: return try PostgreSQLRelay(parts[2], account)
        case .etcd: return try EtcdRelay(EtcdPlace([parts[2]]), account)
        case .postgreSQLRemote: return remote(.postgreSQL, parts[2], account)
        case .etcdRemote: return remote(.etcd, parts[2], account)
        default: return try DirectoryRelay(parts[2], account, kind.naming)
        }
    }
}

extension Relay {
    /// All entries of a stream that the relay shows.
    func all(_ stream: StreamName) throws -> [[UInt8]] {
        guard let range = try streams()[stream] else { return [] }
        var entries: [[UInt8]] = []
        while entries.count < range.count {
            let next = range.lowerBound + UInt64(entries.count)
            let more = try self.entries(of: stream, from: next, byteCountLimit: 1 << 20)
            guard !more.isEmpty else { break }
            entries += more
        }
        return entries
    }

    /// The error that a call ends with; nil for none.
    func failure(_ body: (any Relay) throws(RelayError) -> Void) -> RelayError? {
        do throws(RelayError) {
            try body(self)
            return nil
        } catch {
            return error
        }
    }
}

/// An entry of so many bytes, at least 3, that shows its number.
func entry(_ number: Int, byteCount: Int = 3) -> [UInt8] {
    let digits = [0, 8, 16].map { UInt8(truncatingIfNeeded: number >> $0) }
    return digits + [UInt8](repeating: digits[0] ^ 0xA5, count: byteCount - digits.count)
}

/// Entries with these numbers.
func entries(_ numbers: Range<Int>, byteCount: Int = 3) -> [[UInt8]] {
    numbers.map { entry($0, byteCount: byteCount) }
}

/// What another thread does, which ends with a value.
final class Errand<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let value = Result { try body() }
            result.withLock { $0 = value }
            end.signal()
        }
    }

    var isOver: Bool { result.withLock { $0 != nil } }

    /// Waits for the value.
    func value() throws -> Value {
        end.wait()
        end.signal()
        return try #require(result.withLock { $0 }).get()
    }
}
