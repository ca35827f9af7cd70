import Cryptography
import Foundation
import KeychainMigration
import TestSupport
import Testing

/// A random tree of dictionaries and arrays with its values by path.
private struct RandomTree {
    var random: SeededNumbers
    var values: [String: Data] = [:]
    let allowsData: Bool

    init(seed: UInt64, allowsData: Bool) {
        random = SeededNumbers(seed: seed)
        self.allowsData = allowsData
    }

    mutating func make() -> [String: Any] {
        dictionary(depth: 0, path: ValuePath([]))
    }

    private mutating func dictionary(depth: Int, path: ValuePath) -> [String: Any] {
        var made: [String: Any] = [:]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let key = random.text(1...8)
            guard made[key] == nil else { continue }
            made[key] = node(depth: depth + 1, path: ValuePath(path.components + [key]))
        }
        return made
    }

    private mutating func node(depth: Int, path: ValuePath) -> Any {
        switch Int.random(in: 0..<(depth < 4 ? 5 : 3), using: &random) {
        case 3: return dictionary(depth: depth, path: path)
        case 4:
            return (0..<Int.random(in: 1...3, using: &random)).map { index in
                node(depth: depth + 1, path: ValuePath(path.components + [String(index)]))
            }
        case 2 where allowsData:
            let data = Data(random.bytes())
            values[path.text] = data
            return data
        default:
            let text = random.text()
            values[path.text] = Data(text.utf8)
            return text
        }
    }
}

@Suite struct `A random store` {
    static let seeds: [UInt64] = (1...40).map { 0xC0FFEE + $0 }

    /// Moves every value in a random order and looks for each of them.
    private func moveAll(
        _ tree: RandomTree,
        _ source: any LegacySource,
        seed: UInt64
    ) throws {
        var random = SeededNumbers(seed: seed)
        let keychain = InMemoryKeychain()
        let keys = tree.values.keys.sorted().shuffled(using: &random)
        let mover = Mover(keychain: keychain, journal: InMemoryJournal())
        let report = mover.run(keys.map { Move($0, from: source, to: .token($0)) })
        #expect(report.outcomes.allSatisfy { $0 == .moved }, "seed \(seed)\n\(report)")
        for (key, value) in tree.values {
            let found = try keychain.read(.token(key))?.value?.copyBytesUnprotected()
            #expect(found == value, "seed \(seed), \(key)")
            #expect(try source.read(key) == nil, "seed \(seed), \(key)")
        }
    }

    @Test(arguments: Self.seeds)
    func `as an XML or binary property list is found again whole`(seed: UInt64) throws {
        let place = try Place()
        var tree = RandomTree(seed: seed, allowsData: true)
        let url = try place.writeList(tree.make(), to: "l", seed % 2 == 0 ? .xml : .binary)
        let source = PropertyListSource(file: PlainFile(url))
        #expect(try source.keys().sorted() == tree.values.keys.sorted(), "seed \(seed)")
        try moveAll(tree, source, seed: seed)
    }

    @Test(arguments: Self.seeds)
    func `as an archive is found again whole`(seed: UInt64) throws {
        let place = try Place()
        var tree = RandomTree(seed: seed, allowsData: true)
        let url = try place.write(Session.archive(tree.make() as NSDictionary), to: "a")
        let source = KeyedArchiveSource(file: url)
        #expect(try source.keys() == tree.values.keys.sorted(), "seed \(seed)")
        try moveAll(tree, source, seed: seed)
        #expect(try place.snapshot().isEmpty, "seed \(seed)")
    }

    @Test(arguments: Self.seeds)
    func `as JSON is found again whole`(seed: UInt64) throws {
        let place = try Place()
        var tree = RandomTree(seed: seed, allowsData: false)
        let options: JSONSerialization.WritingOptions = seed % 2 == 0 ? [] : .prettyPrinted
        let bytes = try JSONSerialization.data(withJSONObject: tree.make(), options: options)
        let source = JSONSource(file: PlainFile(try place.write(bytes, to: "j")))
        #expect(try source.keys().sorted() == tree.values.keys.sorted(), "seed \(seed)")
        try moveAll(tree, source, seed: seed)
        #expect(try source.keys().isEmpty, "seed \(seed)")
    }
}
