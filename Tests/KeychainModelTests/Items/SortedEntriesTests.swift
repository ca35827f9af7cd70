import Cryptography
import KeychainModel
import Testing

@Suite struct `Sorted entries` {
    @Test func `are in the order of their keys, whatever the order of adding`() {
        let entries: SortedEntries<String, Int> = ["c": 3, "a": 1, "b": 2]
        #expect(entries.keys == ["a", "b", "c"])
        #expect(entries.values == [1, 2, 3])
        #expect(entries.map(\.key) == ["a", "b", "c"])
    }

    @Test func `keep the last value of a key that is named twice`() {
        let entries: SortedEntries<String, Int> = ["a": 1, "b": 2, "a": 3]
        #expect(entries == ["b": 2, "a": 3])
    }

    @Test func `lose an entry that becomes nil, and only that`() {
        var entries: SortedEntries<String, Int> = ["a": 1, "b": 2]
        entries["a"] = nil
        entries["x"] = nil
        #expect(entries == ["b": 2])
        #expect(entries.removeValue(forKey: "b") == 2)
        #expect(entries.removeValue(forKey: "b") == nil)
        #expect(entries.isEmpty)
    }

    @Test func `are equal and have one hash whatever the order of adding`() {
        let first = SortedEntries([("a", 1), ("b", 2), ("c", 3)])
        let second = SortedEntries([("c", 3), ("b", 2), ("a", 1)])
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first != ["a": 1, "b": 2, "c": 4])
        #expect(first != ["a": 1, "b": 2, "d": 3])
    }

    @Test func `take over another's, as the closure decides about a key of both`() {
        let merged = SortedEntries([("a", 1), ("b", 2)]).merging(["b": 10, "c": 20]) { $0 + $1 }
        #expect(merged == ["a": 1, "b": 12, "c": 20])
        #expect(merged.filter { $0.value > 10 } == ["b": 12, "c": 20])
    }

    @Test(arguments: 1...20)
    func `answer as a dictionary does`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var entries = SortedEntries<UInt8, Int>()
        var model: [UInt8: Int] = [:]
        for step in 0..<200 {
            let key = UInt8.random(in: 0..<24, using: &random)
            let value = Int.random(in: 0..<3, using: &random) == 0 ? nil : step
            entries[key] = value
            model[key] = value
            #expect(entries[key] == model[key], "seed \(seed), step \(step)")
        }
        #expect(entries.keys == model.keys.sorted(), "seed \(seed)")
        #expect(entries.allSatisfy { model[$0.key] == $0.value }, "seed \(seed)")
        #expect(entries.count == model.count, "seed \(seed)")
    }
}
