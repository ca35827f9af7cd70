import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `What the caller of synchronization keeps` {
    private let keychain: SyncedKeychain

    init() throws { keychain = try SyncedKeychain() }

    private func records(_ prefix: [UInt8] = []) throws -> [SyncRecord] {
        try keychain.endpoint.synchronizationRecords(prefix: prefix)
    }

    @Test func `is kept, replaced and removed by its key`() throws {
        let kept: [SyncRecord] = [
            .init(key: [1], value: []), .init(key: [1, 2], value: [3]),
            .init(key: [1, 255], value: [4]), .init(key: [255, 255], value: [5]),
        ]
        try keychain.apply(keeping: kept)
        #expect(try records() == kept)
        #expect(try records([1]) == Array(kept[..<3]))
        #expect(try records([255]) == [kept[3]])
        #expect(try records([2]) == [])
        try keychain.apply(keeping: [.init(key: [1, 2], value: [9]), .init(key: [1], value: nil)])
        #expect(try records([1]) == [.init(key: [1, 2], value: [9]), kept[2]])
        #expect(keychain.status(.forget) == .success)
        #expect(try records() == [])
    }

    @Test func `comes in portions`() throws {
        let value = [UInt8](repeating: 7, count: SyncLimit.recordByteCount)
        let kept = (0..<8).map { SyncRecord(key: [$0], value: value) }
        try keychain.apply(keeping: kept)
        guard
            case .records(let first, let isLast) = try keychain.endpoint.send(
                .records(prefix: [], after: nil)
            )
        else { throw KeychainError.unexpectedReply }
        #expect(first.count == 5 && !isLast)
        #expect(try records().map(\.key) == kept.map(\.key))
    }

    @Test(arguments: [
        (key: 0, value: 1), (key: SyncLimit.recordKeyByteCount + 1, value: 1),
        (key: 1, value: SyncLimit.recordByteCount + 1),
    ])
    func `has its limits`(key: Int, value: Int) throws {
        let record = SyncRecord(
            key: .init(repeating: 1, count: key),
            value: .init(repeating: 1, count: value)
        )
        #expect(keychain.status(.apply([], keeping: [record])) == .param)
    }

    @Test func `changes together with items`() throws {
        let item = try SyncedItem.password("ada", "1")
        try keychain.apply(item, keeping: [.init(key: [1], value: [1])])
        #expect(try records().count == 1)
        #expect(try keychain.read().count == 1)
    }

    @Test func `outlives a passcode and a restore, and goes with a factory reset`() throws {
        let engine = keychain.fixture.engine
        let kept = [SyncRecord(key: [1], value: [2])]
        try keychain.apply(.password("ada", "1"), keeping: kept)
        var backup: [UInt8] = []
        let words = EngineFixture.secret("words")
        _ = try engine.backup(password: words) { backup += $0 }
        try engine.setPasscode(
            EngineFixture.secret("5678"),
            current: EngineFixture.secret(EngineFixture.passcode)
        )
        try keychain.apply(.password("ada", "2", replaces: try keychain.read().first))
        var rest = backup[...]
        _ = try engine.restore(password: words) { count throws(KeychainError) in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        #expect(try records() == kept)
        try engine.erase()
        #expect(try records() == [])
    }
}

/// A keychain that the last program without records left, with two generic passwords.
@Suite struct `A keychain of version 8` {
    @Test(.requirement("OPS-08"))
    func `keeps its items, and takes records from the first one on`() throws {
        let home = try TestHome()
        let tests = String(#filePath.dropLast("Synchronization/SyncRecordTests.swift".count))
        try home.fill(from: tests + "Fixtures/version-8")
        let path = home.home.database
        #expect(try SQLiteConnection(opening: path).number("PRAGMA user_version") == 8)
        let keychain = try home.open(["keychain", "keychainctl"])
        #expect(
            try SQLiteConnection(opening: path).number("PRAGMA user_version") == StoreSchema.version
        )
        #expect(keychain.read(password("ada")) == .value("value of ada"))
        var names: [[UInt8]] = []
        _ = try keychain.endpoint.readSynchronized(withContent: false) { names += $0.map(\.name) }
        #expect(names.count == 1)
        let record = SyncRecord(key: [1], value: [2])
        guard case .applied = try keychain.endpoint.send(.apply([], keeping: [record])) else {
            throw KeychainError.unexpectedReply
        }
        #expect(try keychain.endpoint.synchronizationRecords() == [record])
        #expect(try keychain.endpoint.engine.faults() == [])
    }
}
