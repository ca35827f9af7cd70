import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The work of a search` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .unlocked()
        keychain = fixture.keychain
    }

    private func add(_ count: Int) {
        for number in 0..<count { keychain.add(password("account \(number)")) }
    }

    private func work(_ body: () -> Void) throws -> EngineCounters {
        let before = try fixture.engine.counters
        body()
        let after = try fixture.engine.counters
        return EngineCounters(
            openedMetadata: after.openedMetadata - before.openedMetadata,
            openedSecrets: after.openedSecrets - before.openedSecrets
        )
    }

    private let all = password(nil, ["m_Limit": .string("m_LimitAll")])

    @Test(.requirement("STO-03", "STO-04"))
    func `for attributes alone opens no value`() throws {
        add(20)
        let work = try work { #expect(keychain.attributes(password(nil)).count == 20) }
        #expect(work == EngineCounters(openedMetadata: 20, openedSecrets: 0))
    }

    @Test(.requirement("STO-04", "STO-05"))
    func `for values opens each value once`() throws {
        add(20)
        var query = all
        query["r_Data"] = .bool(true)
        let work = try work { #expect(keychain.status(.copyMatching(query)) == .success) }
        #expect(work == EngineCounters(openedMetadata: 20, openedSecrets: 20))
    }

    @Test(.requirement("STO-05"))
    func `for a persistent reference or for nothing opens no value`() throws {
        add(3)
        var query = all
        query["r_PersistentRef"] = .bool(true)
        #expect(try work { _ = keychain.status(.copyMatching(query)) }.openedSecrets == 0)
        #expect(try work { _ = keychain.status(.copyMatching(all)) }.openedSecrets == 0)
    }

    @Test(.requirement("STO-07"))
    func `for one item among a thousand opens one`() throws {
        add(1000)
        let work = try work { #expect(keychain.read(password(nil)) == .value("open sesame")) }
        #expect(work == EngineCounters(openedMetadata: 1, openedSecrets: 1))
    }

    @Test func `for some items opens so many`() throws {
        add(10)
        var query = password(nil, ["m_Limit": .number(3)])
        query["r_Attributes"] = .bool(true)
        let work = try work { _ = keychain.status(.copyMatching(query)) }
        #expect(work == EngineCounters(openedMetadata: 3, openedSecrets: 0))
    }
}

@Suite struct `The pace of the engine` {
    private let keychain: TestKeychain

    init() throws {
        keychain = try EngineFixture.unlocked().keychain
        for number in 0..<100 { keychain.add(password("account \(number)")) }
    }

    /// The fastest of a few batches of 100 calls, for other tests run at the same time.
    private func callsPerSecond(_ call: (AttributeDictionary) -> Void) -> Double {
        let clock = ContinuousClock()
        let batches = (0..<10).map { _ in
            clock.measure { for number in 0..<100 { call(password("account \(number)")) } }
        }
        return batches.min().map { 100 / ($0 / .seconds(1)) } ?? 0
    }

    @Test(.requirement("STO-22"))
    func `is a thousand attribute reads a second`() {
        let rate = callsPerSecond { _ = keychain.attributes($0) }
        #expect(rate >= 1000)
    }

    @Test(.requirement("STO-22"))
    func `is three hundred data reads a second`() {
        let rate = callsPerSecond { _ = keychain.read($0) }
        #expect(rate >= 300)
    }

    @Test(.requirement("STO-04"))
    func `is reported for attributes and for attributes with values`() {
        let attributes = callsPerSecond { _ = keychain.attributes($0) }
        let both = callsPerSecond { query in
            var query = query
            query["r_Attributes"] = .bool(true)
            query["r_Data"] = .bool(true)
            #expect(keychain.status(.copyMatching(query)) == .success)
        }
        print("attribute reads per second: \(Int(attributes)), with values: \(Int(both))")
        #expect(attributes > 0 && both > 0)
    }
}

@Suite struct `A list of items to use` {
    @Test(.requirement("STO-20"))
    func `is refused by every function, for there is no batch`() throws {
        let keychain = try EngineFixture.unlocked().keychain
        keychain.add(password())
        var query = password()
        query["u_ItemList"] = .array([.data([1])])
        #expect(keychain.add(query) == .param)
        #expect(keychain.status(.copyMatching(query)) == .param)
        #expect(keychain.update(query, "new") == .param)
        #expect(keychain.delete(query) == .param)
        #expect(keychain.read(password()) == .value("open sesame"))
    }
}
