import EngineTestSupport
import KeychainModel
import ModelTestSupport
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
        return try fixture.engine.counters - before
    }

    private let all = password(nil, [.matchLimit: .string(.limitAll)])

    @Test(.requirement("STO-03", "STO-04"))
    func `for attributes alone opens no value`() throws {
        add(20)
        let work = try work { #expect(keychain.attributes(password(nil)).count == 20) }
        #expect(work == EngineCounters(openedMetadata: 20, openedSecrets: 0))
    }

    @Test(.requirement("STO-04", "STO-05"))
    func `for values opens each value once, in a trip to the secure element each`() throws {
        add(20)
        var query = all
        query[.returnData] = .bool(true)
        let work = try work { #expect(keychain.status(.copyMatching(query)) == .success) }
        #expect(work == EngineCounters(openedMetadata: 20, openedSecrets: 20, elementTrips: 20))
    }

    @Test(
        .requirement("STO-05"),
        arguments: [[.returnPersistentReference: .bool(true)], [:]] as [[String: AttributeValue]]
    )
    func `for a persistent reference or for nothing opens no value`(
        wishes: [String: AttributeValue]
    ) throws {
        add(3)
        let query = password(nil, wishes.merging([.matchLimit: .string(.limitAll)]) { $1 })
        let work = try work { #expect(keychain.status(.copyMatching(query)) == .success) }
        #expect(work.openedSecrets == 0 && work.elementTrips == 0)
    }

    /// ★ How many trips each call makes: one for each value that it returns.
    private static let trips: [(name: String, more: [String: AttributeValue], Int)] = [
        ("one value", [.returnData: .bool(true)], 1),
        ("one value of one name", [.account: .string("account 1"), .returnData: .bool(true)], 1),
        ("a value that is not there", [.account: .string("nobody"), .returnData: .bool(true)], 0),
        ("two values", [.returnData: .bool(true), .matchLimit: .number(2)], 2),
        (
            "all values with their attributes",
            [
                .returnData: .bool(true), .returnAttributes: .bool(true),
                .matchLimit: .string(.limitAll),
            ],
            5
        ),
        ("all attributes", [.returnAttributes: .bool(true), .matchLimit: .string(.limitAll)], 0),
        ("whether there is one", [:], 0),
    ]

    @Test(.requirement("STO-05"), arguments: trips)
    func `costs one trip to the secure element for each value that it returns`(
        name: String,
        more: [String: AttributeValue],
        count: Int
    ) throws {
        add(5)
        let query = password(nil, more)
        let work = try work { _ = keychain.status(.copyMatching(query)) }
        #expect(work.elementTrips == count)
    }

    @Test(.requirement("STO-05"))
    func `costs no trip while the class is closed`() throws {
        add(1)
        try fixture.engine.lock()
        let work = try work { #expect(keychain.read(password(nil)) == .notAllowed) }
        #expect(work.elementTrips == 0)
    }

    @Test(.requirement("STO-07"))
    func `for one item among a thousand opens one`() throws {
        add(1000)
        let work = try work { #expect(keychain.read(password(nil)) == .value("open sesame")) }
        #expect(work == EngineCounters(openedMetadata: 1, openedSecrets: 1, elementTrips: 1))
    }

    @Test func `for some items opens so many`() throws {
        add(10)
        var query = password(nil, [.matchLimit: .number(3)])
        query[.returnAttributes] = .bool(true)
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

    /// The fastest of a few batches of 100 calls, by the thread's own time.
    private func callsPerSecond(_ call: (AttributeDictionary) -> Void) -> Double {
        let batches = (0..<10).map { _ in
            threadTime { for number in 0..<100 { call(password("account \(number)")) } }
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
}

@Suite struct `The cost of attributes` {
    /// So long a value that its opening can be told from everything else.
    private static let value = String(repeating: "v", count: 1 << 16)

    private let fixture: EngineFixture
    private let attributes: AttributeDictionary
    private let both: AttributeDictionary

    init() throws {
        fixture = try .unlocked()
        for number in 0..<20 { fixture.keychain.add(password("account \(number)"), Self.value) }
        let all = password(nil, [.matchLimit: .string(.limitAll), .returnAttributes: .bool(true)])
        attributes = all
        both = password(
            nil,
            [
                .matchLimit: .string(.limitAll), .returnAttributes: .bool(true),
                .returnData: .bool(true),
            ]
        )
    }

    private func time(_ query: AttributeDictionary) -> Duration {
        threadTime { _ = fixture.keychain.status(.copyMatching(query)) }
    }

    /// The fastest of many rounds.
    @Test(.requirement("STO-04"))
    func `is measurably less than that of values`() throws {
        var least = (attributes: Duration.seconds(100), both: Duration.seconds(100))
        let before = try fixture.engine.counters
        for _ in 0..<20 { least.attributes = min(least.attributes, time(attributes)) }
        let between = try fixture.engine.counters
        for _ in 0..<20 { least.both = min(least.both, time(both)) }
        let after = try fixture.engine.counters
        #expect((between - before).elementTrips == 0)
        #expect((after - between).elementTrips == 400)
        let ratio = least.both / least.attributes
        print("20 items with values of 64 KiB take \(ratio) times as long as their attributes")
        #expect(ratio > 1.2)
    }
}

@Suite struct `A list of items to use` {
    @Test(.requirement("STO-20"))
    func `is refused by every function, for there is no batch`() throws {
        let keychain = try EngineFixture.unlocked().keychain
        keychain.add(password())
        var query = password()
        query[.useItemList] = .array([.data([1])])
        #expect(keychain.add(query) == .param)
        #expect(keychain.status(.copyMatching(query)) == .param)
        #expect(keychain.update(query, "new") == .param)
        #expect(keychain.delete(query) == .param)
        #expect(keychain.read(password()) == .value("open sesame"))
    }
}
