import Cryptography
import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// Items with pairs, kept in an array: what a keychain should find.
private struct PlainPairs {
    struct Item: Equatable {
        let account: String
        let group: String
        var pairs: [String: String]
    }

    private(set) var items: [Item] = []

    mutating func add(_ item: Item) -> SecurityStatus {
        guard !items.contains(where: { $0.account == item.account && $0.group == item.group })
        else { return .duplicateItem }
        items.append(item)
        return .success
    }

    func places(of wanted: [String: String], in group: String?) -> [Int] {
        items.indices.filter { place in
            let item = items[place]
            return (group == nil || item.group == group)
                && wanted.allSatisfy { item.pairs[$0.key] == $0.value }
        }
    }

    mutating func update(_ places: [Int], _ pairs: [String: String]) -> SecurityStatus {
        for place in places { items[place].pairs = pairs }
        return places.isEmpty ? .itemNotFound : .success
    }

    mutating func delete(_ places: [Int]) -> SecurityStatus {
        items = items.indices.filter { !places.contains($0) }.map { items[$0] }
        return places.isEmpty ? .itemNotFound : .success
    }
}

extension SeededNumbers {
    fileprivate mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

    /// Few names and values, so that searches find several items, and none now and then.
    fileprivate mutating func pairs(upTo count: Int) -> [String: String] {
        var pairs: [String: String] = [:]
        for _ in 0..<roll(count + 1) { pairs["name \(roll(4))"] = "value \(roll(3))" }
        return pairs
    }

    fileprivate mutating func group() -> String { EngineFixture.groups[roll(2)] }
}

@Suite struct `Random calls with pairs` {
    private static func scope(_ group: String?) -> [String: AttributeValue] {
        group.map { [.accessGroup: .string($0)] } ?? [:]
    }

    /// Makes a call on both.
    private static func step(
        _ dice: inout SeededNumbers,
        _ model: inout PlainPairs,
        _ keychain: TestKeychain
    ) throws -> (found: SecurityStatus, expected: SecurityStatus) {
        if dice.roll(2) == 0 {
            let item = PlainPairs.Item(
                account: "account \(dice.roll(30))",
                group: dice.group(),
                pairs: dice.pairs(upTo: 4)
            )
            let found = keychain.add(
                try paired(item.account, item.pairs, scope(item.group))
            )
            return (found, model.add(item))
        }
        let group = dice.roll(2) == 0 ? dice.group() : nil
        let wanted = dice.pairs(upTo: 3)
        let places = model.places(of: wanted, in: group)
        let query = try paired(nil, wanted, scope(group))
        if dice.roll(2) == 0, !wanted.isEmpty {
            return (keychain.delete(query), model.delete(places))
        }
        let new = dice.pairs(upTo: 4)
        let changes: AttributeDictionary = [
            Attribute.lookupPairs.rawValue: .data(try LookupPairs(new).encoded)
        ]
        return (keychain.status(.update(query, with: changes)), model.update(places, new))
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `find, change and delete what an array would`(seed: UInt64) throws {
        let fixture = try EngineFixture.unlocked()
        let keychain = fixture.keychain
        var dice = SeededNumbers(seed: seed)
        var model = PlainPairs()
        for number in 0..<120 {
            let outcome = try Self.step(&dice, &model, keychain)
            #expect(outcome.found == outcome.expected, "seed \(seed), step \(number)")
            let group = dice.roll(2) == 0 ? dice.group() : nil
            let wanted = dice.pairs(upTo: 3)
            let found = keychain.attributes(try paired(nil, wanted, Self.scope(group)))
            let places = model.places(of: wanted, in: group)
            #expect(
                found.map { $0[.account] } == places.map { .string(model.items[$0].account) },
                "seed \(seed), step \(number)"
            )
            #expect(found.map(\.pairs) == places.map { model.items[$0].pairs })
        }
        #expect(try fixture.pairCount() == Int64(model.items.reduce(0) { $0 + $1.pairs.count }))
        #expect(try fixture.faults() == [])
    }
}
