import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `Reading what a device exchanges` {
    @Test func `leaves out what is not synchronizable`() throws {
        let keychain = try SyncedKeychain()
        let program = keychain.fixture.keychain
        #expect(program.add(password("local")) == .success)
        #expect(program.add(synced("shared"), "value") == .success)
        let items = try keychain.read()
        #expect(items.map(\.text) == ["value"])
        #expect(items.map(\.modified) == [keychain.fixture.clock.date])
    }

    @Test func `comes in portions, and without content if nobody wants it`() throws {
        let keychain = try SyncedKeychain()
        let reply = try keychain.endpoint.send(.apply(Self.many(300), keeping: []))
        guard case .applied(let outcome) = reply else { throw KeychainError.unexpectedReply }
        #expect(outcome.appliedCount == 300)
        var portionSizes: [Int] = []
        var names: [[UInt8]] = []
        let damaged = try keychain.endpoint.readSynchronized(withContent: false) { items in
            portionSizes.append(items.count)
            names += items.map(\.name)
            #expect(items.allSatisfy { $0.value == nil && $0.attributes.isEmpty })
        }
        #expect(damaged == 0)
        #expect(portionSizes == [256, 44])
        #expect(try names == Self.many(300).map(\.name))
        #expect(try keychain.fixture.engine.faults() == [])
    }

    private static func many(_ count: Int) throws(KeychainError) -> [SyncedItem] {
        var items: [SyncedItem] = []
        for number in 0..<count { items.append(try .password("account \(number)", "value")) }
        return items
    }

    @Test(arguments: ["metadata", "secret"])
    func `skips a damaged row, and tells`(half: String) throws {
        let keychain = try SyncedKeychain()
        try keychain.apply(.password("ada", "1"), .password("grace", "2"))
        try keychain.fixture.execute(["UPDATE genp SET \(half) = zeroblob(90) WHERE row = 1"])
        var texts: [String?] = []
        let damaged = try keychain.endpoint.readSynchronized(withContent: true) {
            texts += $0.map(\.text)
        }
        #expect(damaged == 1)
        #expect(texts == ["2"])
        // Another device has it still, whatever this one thinks was there.
        let healed = try SyncedItem.password("ada", "3", replaces: .password("ada", "1"))
        try keychain.apply(healed)
        #expect(try keychain.read().map(\.text) == ["3", "2"])
    }

    @Test func `opens only what was written since the last look`() throws {
        let keychain = try SyncedKeychain()
        let engine = keychain.fixture.engine
        _ = try keychain.endpoint.send(.apply(Self.many(40), keeping: []))
        func opened(_ look: () throws -> Void) throws -> Int {
            let before = try engine.counters.openedMetadata
            try look()
            return try engine.counters.openedMetadata - before
        }
        #expect(try opened { _ = try keychain.read(withContent: false) } == 40)
        #expect(try opened { _ = try keychain.read(withContent: false) } == 0)
        let ada = try SyncedItem.password("ada", "1")
        try keychain.apply(ada)
        #expect(try opened { _ = try keychain.read(withContent: false) } == 1)
        let later = try SyncedItem.password("ada", "2", at: 763_000_000, replaces: ada)
        try keychain.apply(later)
        var digests: [[UInt8]] = []
        #expect(
            try opened { digests = try keychain.read(withContent: false).map(\.digest) } == 1
        )
        #expect(digests.count == 41)
        #expect(digests.contains(later.digest) && !digests.contains(ada.digest))
        #expect(
            try opened { _ = try keychain.endpoint.synchronizedItems(named: [later.name]) } == 1
        )
        #expect(try opened { _ = try keychain.read() } == 41)
    }

    @Test func `forgets what rows showed when the device locks`() throws {
        let keychain = try SyncedKeychain()
        try keychain.apply(.password("ada", "1"), .password("grace", "2"))
        _ = try keychain.read(withContent: false)
        try keychain.fixture.engine.lock()
        try keychain.fixture.unlock()
        let before = try keychain.fixture.engine.counters.openedMetadata
        #expect(try keychain.read(withContent: false).count == 2)
        #expect(try keychain.fixture.engine.counters.openedMetadata - before == 2)
    }

    @Test func `sees a row that was deleted, or made local, since the last look`() throws {
        let keychain = try SyncedKeychain()
        let program = keychain.fixture.keychain
        #expect(program.add(synced("ada"), "1") == .success)
        #expect(program.add(synced("grace"), "2") == .success)
        let names = try keychain.read(withContent: false).map(\.name)
        #expect(program.delete(synced("ada")) == .success)
        let second = try keychain.read(withContent: false)
        #expect(second.map(\.isTombstone) == [true, false])
        try keychain.fixture.execute(["DELETE FROM genp WHERE row = 2"])
        #expect(try keychain.read(withContent: false).map(\.name) == [names[0]])
        #expect(try keychain.endpoint.synchronizedItems(named: names).map(\.name) == [names[0]])
    }

    @Test func `takes a row whose columns make no sense for damaged`() throws {
        let keychain = try SyncedKeychain()
        try keychain.apply(.password("ada", "1"), .password("grace", "2"))
        try keychain.fixture.execute(["UPDATE genp SET pdmn = 77 WHERE row = 1"])
        var texts: [String?] = []
        let damaged = try keychain.endpoint.readSynchronized(withContent: true) {
            texts += $0.map(\.text)
        }
        #expect(damaged == 1)
        #expect(texts == ["2"])
    }

    @Test func `gives the content of items by their names`() throws {
        let keychain = try SyncedKeychain()
        let items = [try SyncedItem.password("ada", "1"), try .password("grace", "2")]
        try keychain.apply(items[0], items[1])
        let unknown = [UInt8](repeating: 7, count: 32)
        let found = try keychain.endpoint.synchronizedItems(named: [items[1].name, unknown, []])
        #expect(found.map(\.text) == ["2"])
        #expect(found.map(\.digest) == [items[1].digest])
    }

    @Test func `needs an unlocked device, unlike what says nothing of items`() throws {
        let keychain = try SyncedKeychain()
        let item = try SyncedItem.password("ada", "1")
        try keychain.apply(item)
        try keychain.fixture.engine.lock()
        let record = SyncRecord(key: [1], value: [2])
        let closed = [
            .read(after: nil, withContent: false), .contents([item.name]),
            .apply([item], keeping: [record]),
        ].map(keychain.status)
        #expect(closed == Array(repeating: .interactionNotAllowed, count: 3))
        let open = [
            .mark, .verify([item]), .records(prefix: [], after: nil), .apply([], keeping: [record]),
            .forget,
        ].map(keychain.status)
        #expect(open == Array(repeating: .success, count: 5))
    }

    @Test(
        arguments: [
            (.iOS(13), passwords: true, keys: false), (.iOS(14), passwords: true, keys: true),
            (.macOS(10), passwords: true, keys: false), (.macOS(11), passwords: true, keys: true),
            (.watchOS(6), passwords: true, keys: false), (.watchOS(7), passwords: true, keys: true),
            (.tvOS(26), passwords: false, keys: false), (.host, passwords: true, keys: true),
        ] as [(SystemProfile, passwords: Bool, keys: Bool)]
    )
    func `is about the classes that the system exchanges`(
        system: SystemProfile,
        passwords: Bool,
        keys: Bool
    ) throws {
        let keychain = try SyncedKeychain(system: system)
        let program = keychain.fixture.keychain
        let key: AttributeDictionary = [
            .itemClass: .string(.key), .synchronizable: .bool(true), .type: .string("6"),
            .keyClass: .number(2), .applicationTag: .string("tag"),
        ]
        #expect(program.add(synced("ada"), "value") == .success)
        #expect(program.add(key, "key") == .success)
        let classes: [ItemClass] = (passwords ? [.genericPassword] : []) + (keys ? [.key] : [])
        #expect(try keychain.read().map(\.itemClass) == classes)
        let other = try SyncedItem.password("grace", "1")
        #expect(try keychain.apply(other).ignored == (passwords ? [] : [other.name]))
        #expect(try keychain.read().count == classes.count + (passwords ? 1 : 0))
    }

    @Test func `does not count as use of the keychain`() throws {
        let keychain = try SyncedKeychain()
        let engine = keychain.fixture.engine
        let settings = LockSettings(idleSeconds: 60)
        #expect(keychain.fixture.keychain.status(.device(.setLockSettings(settings))) == .success)
        keychain.fixture.clock.advance(seconds: 30)
        try keychain.apply(.password("ada", "1"))
        #expect(try keychain.read().count == 1)
        #expect(try engine.lockIfDue() == .seconds(30))
        keychain.fixture.clock.advance(seconds: 30)
        #expect(keychain.status(.read(after: nil, withContent: true)) == .interactionNotAllowed)
    }
}
