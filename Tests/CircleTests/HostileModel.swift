import Testing

@testable import KeychainSync

/// All small worlds in which removed keys sign what they can.
///
/// An honest circle of at most four links, then up to three hostile links, each after any link that
/// there is, with digests that win every tie. Violations are worlds in which the honest chain was
/// left, although the honest signers who decide come first.
struct HostileModel {
    /// What honest keepers said, and whose keys are hostile.
    struct Honest: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let thieves: [String]
        let say: @Sendable (inout ChainScript) throws -> [String]
    }

    private let honest: Honest
    private let rules: CircleRules
    private let path: [String]
    private let start: ChainScript
    private(set) var worldCount = 0
    private(set) var violations: [String] = []

    init(_ honest: Honest, rules: CircleRules = CircleRules()) throws {
        self.honest = honest
        self.rules = rules
        var script = ChainScript()
        _ = try script.found()
        path = try honest.say(&script)
        start = script
    }

    /// ★ Table: honest circles, each of which ends with everybody of the thieves removed.
    static let honest: [Honest] = [
        Honest(testDescription: "ada removes the keeper bob", thieves: ["bob"]) {
            try $0.say("1", after: "founding", by: ["ada"], add: ["dan"], keepers: ["bob"])
            try $0.say("2", after: "1", by: ["ada"], remove: ["bob"])
            return ["1", "2"]
        },
        Honest(testDescription: "ada removes bob, who let eve in", thieves: ["bob", "eve"]) {
            try $0.say("1", after: "founding", by: ["ada"], keepers: ["bob"])
            try $0.say("2", after: "1", by: ["bob"], keepers: ["eve"])
            try $0.say("3", after: "2", by: ["ada"], remove: ["bob", "eve"])
            return ["1", "2", "3"]
        },
        Honest(testDescription: "bob is promoted, cyd comes, ada removes bob", thieves: ["bob"]) {
            try $0.say("1", after: "founding", by: ["ada"], add: ["bob"])
            try $0.say("2", after: "1", by: ["ada"], promote: ["bob"])
            try $0.say("3", after: "2", by: ["bob"], keepers: ["cyd"])
            try $0.say("4", after: "3", by: ["ada"], remove: ["bob"])
            return ["1", "2", "3", "4"]
        },
        Honest(testDescription: "bob removes cyd, who came later", thieves: ["cyd"]) {
            try $0.say("1", after: "founding", by: ["ada"], keepers: ["bob", "cyd"])
            try $0.say("2", after: "1", by: ["bob"], remove: ["cyd"])
            return ["1", "2"]
        },
        Honest(testDescription: "the recovery key removes ada", thieves: ["ada"]) {
            try $0.say("1", after: "founding", by: ["ada"], keepers: ["bob"])
            try $0.say("2", after: "1", by: ["paper"], keepers: ["fay"], remove: ["ada"])
            return ["1", "2"]
        },
        Honest(testDescription: "both replace the recovery key", thieves: ["paper"]) {
            try $0.say("1", after: "founding", by: ["ada"], keepers: ["bob"])
            try $0.say("2", after: "1", by: ["paper", "ada"], paper: "new")
            return ["1", "2"]
        },
        Honest(testDescription: "old paper and a removed keeper", thieves: ["paper", "bob"]) {
            try $0.say("1", after: "founding", by: ["ada"], keepers: ["bob"])
            try $0.say("2", after: "1", by: ["paper", "ada"], remove: ["bob"], paper: "new")
            return ["1", "2"]
        },
    ]

    private typealias Lie = @Sendable (inout ChainScript, String, String, [String]) throws -> Void

    /// ★ Table: what a hostile link says.
    private static let lies: [Lie] = [
        { try $0.say($1, after: $2, by: $3, keepers: ["x\($1)"], sorting: 0) },
        { try $0.say($1, after: $2, by: $3, keepers: ["x\($1)"], remove: ["ada"], sorting: 0) },
        { try $0.say($1, after: $2, by: $3, remove: ["bob"], sorting: 0) },
        { try $0.say($1, after: $2, by: $3, remove: ["ada"], paper: "x", sorting: 0) },
        { try $0.say($1, after: $2, by: $3, promote: ["dan"], sorting: 0) },
        { try $0.say($1, after: $2, by: $3, paper: "x\($1)", sorting: 0) },
    ]

    /// Tries worlds with so many hostile links at most.
    mutating func tryAll(depth: Int) throws {
        try extend(start, depth: depth, nodes: ["founding"] + path)
    }

    private mutating func extend(_ script: ChainScript, depth: Int, nodes: [String]) throws {
        try judge(script)
        guard depth > 0 else { return }
        let name = "lie\(depth)"
        for node in nodes {
            // Hostile links after hostile ones need the keys that these brought in.
            let own = nodes.filter { $0.hasPrefix("lie") }.map { "x\($0)" }
            var signings = (honest.thieves + own).map { [$0] }
            if honest.thieves.count == 2 { signings.append(honest.thieves) }
            for by in signings {
                for lie in Self.lies {
                    var next = script
                    try lie(&next, name, node, by)
                    // What does not count changes nothing, alone or with what follows it.
                    guard next.counting.contains(name) else { continue }
                    try extend(next, depth: depth - 1, nodes: nodes + [name])
                }
            }
        }
    }

    private mutating func judge(_ script: ChainScript) throws {
        worldCount += 1
        let chain = try script.chain(rules: rules)
        let honestDigests = try path.map { try script.link($0).digest }
        let isKept = zip(chain.chain.dropFirst().map(\.digest), honestDigests).allSatisfy(==)
        let hasAll = chain.chain.count > honestDigests.count
        guard !isKept || !hasAll else { return }
        violations.append("\(script.links.keys.sorted()): \(try script.path())")
    }
}
