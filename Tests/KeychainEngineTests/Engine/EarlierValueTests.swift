import Cryptography
import DataProtection
import EngineTestSupport
import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A call that takes sealed values away.
private struct Taking: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: ItemRequest

    private init(_ name: String, _ request: ItemRequest) {
        testDescription = name
        self.request = request
    }

    private static func value(_ text: String) -> AttributeValue {
        .secret(EngineFixture.secret(text))
    }

    static let accessControl = Taking(
        "another access control",
        .replaceAccessControl(password(), flags: .devicePasscode, protection: nil)
    )

    static let all = [
        accessControl,
        Taking(
            "another accessibility, by replacement",
            .replaceAccessControl(password(), flags: [], protection: .afterFirstUnlock)
        ),
        Taking("another value", .update(password(), with: [.valueData: value("another")])),
        Taking("a large value", .update(password("large"), with: [.valueData: value("small")])),
        Taking("another label", .update(password(nil), with: [.label: .string("changed")])),
        Taking(
            "another accessibility",
            .update(password(), with: [.accessible: .string(.afterFirstUnlock)])
        ),
        Taking("a delete", .delete(password())),
        Taking(
            "a delete of all",
            .delete(password(nil, [.synchronizable: .string(.synchronizableAny)]))
        ),
        Taking(
            "a delete that leaves a tombstone",
            .delete(password("synced", [.synchronizable: .bool(true)]))
        ),
    ]
}

/// A reader of the database that stays until it is told to go, as another program may.
private struct StayingReader: ~Copyable {
    private let connection: SQLiteConnection

    init(_ path: String) throws {
        let connection = try SQLiteConnection(opening: path, settings: [])
        try connection.execute("BEGIN")
        _ = try connection.number("SELECT COUNT(*) FROM genp")
        self.connection = connection
    }

    func leave() throws { try connection.execute("COMMIT") }
}

@Suite struct `Earlier values` {
    private let home: TestHome
    private let path: String
    private let storage = MemoryStorage()
    private let fixture: EngineFixture

    init() throws {
        home = try TestHome()
        path = home.root + "/store.db"
        try require(FileFacts.make(path), path)
        fixture = try Self.open(storage, path)
        let keychain = fixture.keychain
        #expect(keychain.add(password()) == .success)
        let large = String(repeating: "0123456789", count: 2000)
        #expect(keychain.add(password("large"), large) == .success)
        #expect(keychain.add(password("synced", [.synchronizable: .bool(true)])) == .success)
    }

    /// Waits hardly at all for readers.
    private static func open(
        _ storage: MemoryStorage,
        _ path: String,
        waits: StoreWaits = StoreWaits(busy: 20, brief: 10)
    ) throws -> EngineFixture {
        let fixture = try EngineFixture(storage: storage, database: path, waits: waits)
        try fixture.unlock()
        return fixture
    }

    /// The sealed halves of all rows.
    private func halves() throws -> Set<[UInt8]> {
        let rows = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rows(.everything, withSecrets: true)
        }
        return Set(rows.flatMap { [$0.item.metadata, $0.item.secret ?? []] })
    }

    /// How many of the halves a file of the database still has.
    private func count(of halves: Set<[UInt8]>, at path: String) throws -> Int {
        let files = try ["", "-wal", "-journal", "-shm"].map { path + $0 }
            .filter(FileManager.default.fileExists)
            .map { try Data(contentsOf: URL(filePath: $0)) }
        return halves.count { half in
            // A large half is spread over pages: its end is in one piece.
            files.contains { $0.range(of: Data(half.suffix(200))) != nil }
        }
    }

    /// Sends the request, and says which halves are none any more.
    private func take(
        _ taking: Taking,
        on other: EngineFixture? = nil
    ) throws -> (gone: Set<[UInt8]>, stay: Bool) {
        let before = try halves()
        let reply = try (other ?? fixture).keychain.endpoint.send(taking.request)
        let gone = before.subtracting(try halves())
        #expect(!gone.isEmpty)
        if case .earlierValueStays = reply { return (gone, true) }
        return (gone, false)
    }

    private var isTold: Bool { fixture.findings.all.contains { $0.rule == "earlier-value-stays" } }

    private func mayStay(_ fixture: EngineFixture) throws -> Bool {
        try fixture.engine.check(.database).mayHoldEarlierValues
    }

    @Test(.requirement("LCK-12"), arguments: Taking.all)
    fileprivate func `are in no file once the call is back`(taking: Taking) throws {
        let before = try halves()
        #expect(try count(of: before, at: path) == before.count)
        let (gone, stay) = try take(taking)
        #expect(!stay && !isTold)
        #expect(try count(of: gone, at: path) == 0)
        #expect(try !mayStay(fixture))
    }

    @Test(.requirement("LCK-12"), arguments: Taking.all)
    fileprivate func `stay with a reader, which is told, and go once it left`(
        taking: Taking
    ) throws {
        let reader = try StayingReader(path)
        let (gone, stay) = try take(taking)
        #expect(stay && isTold)
        #expect(try count(of: gone, at: path) > 0)
        #expect(fixture.keychain.add(password("later")) == .success)
        #expect(try mayStay(fixture))
        try reader.leave()
        #expect(fixture.keychain.add(password("last")) == .success)
        #expect(try count(of: gone, at: path) == 0)
        #expect(try !mayStay(fixture))
        #expect(try fixture.engine.faults() == [])
    }

    @Test(.requirement("LCK-12"), arguments: Taking.all)
    fileprivate func `go when a process opens what a crash left of them`(taking: Taking) throws {
        let reader = try StayingReader(path)
        let (gone, _) = try take(taking)
        let copy = home.root + "/crashed.db"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        #expect(try count(of: gone, at: copy) > 0)
        let next = try Self.open(storage, copy)
        #expect(try count(of: gone, at: copy) == 0)
        #expect(try !mayStay(next))
        try reader.leave()
    }

    @Test(.requirement("LCK-12"))
    func `are waited for after another access control, until the reader leaves`() throws {
        let patient = try Self.open(storage, path, waits: StoreWaits(busy: 60_000, brief: 0))
        let isReading = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [path] in
            try? Self.readUntilAwaited(path, isReading, isOver)
            isReading.signal()
        }
        isReading.wait()
        // Once for each loop of the reader, also after an error.
        defer { for _ in 0..<2 { isOver.signal() } }
        let (gone, stay) = try take(.accessControl, on: patient)
        #expect(!stay)
        #expect(try count(of: gone, at: path) == 0)
    }

    /// Reads an old state until somebody waits for this reader: who empties the log keeps the write
    /// lock meanwhile.
    private static func readUntilAwaited(
        _ path: String,
        _ isReading: DispatchSemaphore,
        _ isOver: DispatchSemaphore
    ) throws {
        let reader = try StayingReader(path)
        let watcher = try SQLiteConnection(opening: path, settings: [], busyWait: 0)
        let before = try watcher.number("PRAGMA data_version")
        isReading.signal()
        while isOver.wait(timeout: .now()) == .timedOut,
            try watcher.number("PRAGMA data_version") == before
        { sched_yield() }
        while isOver.wait(timeout: .now()) == .timedOut {
            guard (try? watcher.execute("BEGIN IMMEDIATE")) != nil else { break }
            try watcher.execute("ROLLBACK")
            sched_yield()
        }
        try reader.leave()
    }

    @Test(.requirement("LCK-12"))
    func `are told to who opens the keychain beside the reader`() throws {
        let reader = try StayingReader(path)
        let (gone, _) = try take(.accessControl)
        let next = try Self.open(storage, path)
        #expect(try mayStay(next))
        try reader.leave()
        #expect(try !mayStay(next))
        #expect(try count(of: gone, at: path) == 0)
    }

    @Test(.requirement("LCK-12"), arguments: [UInt64(1), 2, 3])
    func `are in no file after many updates and deletes of many sizes`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let accounts = (0..<60).map { "account \($0)" }
        var gone: Set<[UInt8]> = []
        for account in accounts {
            let size = random.next(below: 3) == 0 ? 6000 : 300
            let value = String(repeating: "v", count: random.next(below: size))
            #expect(fixture.keychain.add(password(account), value) == .success)
        }
        var before = try halves()
        for _ in 0..<120 {
            let account = accounts[random.next(below: accounts.count)]
            let value = String(repeating: "w", count: random.next(below: 3000))
            switch random.next(below: 4) {
            case 0: fixture.keychain.delete(password(account))
            case 1: fixture.keychain.add(password(account), value)
            default: fixture.keychain.update(password(account), value)
            }
            let after = try halves()
            gone.formUnion(before.subtracting(after))
            before = after
        }
        #expect(gone.count > 100)
        #expect(try count(of: gone, at: path) == 0, "seed \(seed)")
    }
}

/// A password with further keys.
private func password(
    _ account: String?,
    _ more: [String: AttributeValue]
) -> AttributeDictionary {
    password(account, service: "mail", more)
}
