import TestSupport
import Testing

@testable import KeychainSync

/// Random and exhaustive worlds of links, judged by `CircleChain` and by a naive second one.
@Suite struct `Every small circle` {
    private static let actors = ["ada", "bob", "cyd", "dan", "eve", "fay"]

    /// A world of random links, valid and not.
    private static func world(
        linkCount: Int,
        _ dice: inout TestDice
    ) throws -> (ChainScript, [String]) {
        var script = ChainScript()
        _ = try script.found(paper: dice.roll(4) == 0 ? nil : "paper")
        var names = ["founding"]
        for number in 0..<linkCount {
            let previous = names[dice.roll(names.count)]
            let name = "link \(number)"
            let signers = (0...dice.roll(2)).map { _ in
                dice.roll(4) == 0 ? "paper" : actors[dice.roll(3)]
            }
            let subject = actors[dice.roll(actors.count)]
            let sorting = UInt8(dice.roll(3))
            let (after, by) = (previous, Array(Set(signers)))
            switch dice.roll(6) {
            case 0: try script.say(name, after: after, by: by, add: [subject], sorting: sorting)
            case 1: try script.say(name, after: after, by: by, keepers: [subject], sorting: sorting)
            case 2: try script.say(name, after: after, by: by, remove: [subject], sorting: sorting)
            case 3: try script.say(name, after: after, by: by, promote: [subject], sorting: sorting)
            case 4: try script.say(name, after: after, by: by, paper: subject, sorting: sorting)
            default:
                let other = actors[dice.roll(actors.count)]
                try script.say(
                    name,
                    after: after,
                    by: by,
                    keepers: [other],
                    remove: [subject],
                    sorting: sorting
                )
            }
            names.append(name)
        }
        return (script, names)
    }

    @Test(.requirement("CIR-01"), arguments: 0..<60)
    func `what is chosen depends on the set of links alone`(seed: Int) throws {
        var dice = TestDice(seed: UInt64(seed))
        let (script, _) = try Self.world(linkCount: 14, &dice)
        let founding = try script.link("founding")
        let expected = try NaiveChain(Array(script.links.values)).path(from: founding)
        var faults: [SyncDigest: LinkFault]?
        for _ in 0..<3 {
            var chain = CircleChain(founding.code)
            var rest = dice.shuffled(Array(script.links.values))
            while !rest.isEmpty {
                let count = 1 + dice.roll(rest.count)
                try chain.add(Array(rest.prefix(count)), trusted: true)
                rest.removeFirst(count)
            }
            #expect(chain.chain.map(\.digest) == expected)
            if let faults { #expect(chain.faults == faults) }
            faults = chain.faults
        }
    }

    /// Each honest circle of at most three keepers in which one is removed, and every way in which
    /// the removed key can sign up to three links.
    @Test(.requirement("CIR-02"), .requirement("CIR-03"), arguments: HostileModel.honest)
    func `keys of removed devices change nothing that an earlier key signed`(
        circle: HostileModel.Honest
    ) throws {
        var model = try HostileModel(circle)
        try model.tryAll(depth: 3)
        #expect(model.worldCount > 20)
        #expect(model.violations.isEmpty)
    }

    /// ★ Table: mistakes in the choice of the chain.
    enum Mistake: String, CaseIterable, CustomTestStringConvertible {
        case orderReversed = "the last in the order decides"
        case greaterDigest = "the greater digest wins"
        case digestWithSignatures = "a digest covers signatures"

        var testDescription: String { rawValue }

        /// Whether a world shows it.
        func isShown(by script: ChainScript) throws -> Bool {
            let founding = try script.link("founding")
            let links = Array(script.links.values)
            let expected = try NaiveChain(links).path(from: founding)
            var rules = CircleRules()
            rules.reversesOrder = self == .orderReversed
            rules.greaterDigestWins = self == .greaterDigest
            var chain = CircleChain(founding.code, rules: rules)
            try chain.add(links, trusted: true)
            guard self == .digestWithSignatures else {
                return chain.chain.map(\.digest) != expected
            }
            // A relay makes the twin of each signature: other bytes, so another digest.
            let twins = try links.filter { !$0.isFounding }.map { link in
                Link(
                    link.content,
                    try SyncDigest(of: link.digest.bytes + [1]),
                    signatures: [[1]]
                )
            }
            try chain.add(twins, trusted: true)
            return chain.chain.map(\.digest) != expected || !chain.forkers.isEmpty
        }
    }

    @Test(arguments: Mistake.allCases)
    func `shows a mistake in the choice within two hundred worlds`(mistake: Mistake) throws {
        let found = try (0..<200).contains { seed in
            var dice = TestDice(seed: UInt64(seed))
            return try mistake.isShown(by: Self.world(linkCount: 14, &dice).0)
        }
        #expect(found)
    }

    @Test func `shows a mistake in the order`() throws {
        var rules = CircleRules()
        rules.reversesOrder = true
        let found = try HostileModel.honest.contains { circle in
            var model = try HostileModel(circle, rules: rules)
            try model.tryAll(depth: 1)
            return !model.violations.isEmpty
        }
        #expect(found)
    }
}

/// Numbers that a seed decides.
struct TestDice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func roll(_ sides: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % sides
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for place in elements.indices.dropFirst() { elements.swapAt(place, roll(place + 1)) }
        return elements
    }
}
