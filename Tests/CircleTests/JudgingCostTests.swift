import Cryptography
import TestSupport
import Testing

@testable import KeychainSync

/// Hostile links, and how many steps it takes to judge them: links entered, encodings checked,
/// keepers compared.
@Suite struct `Judging hostile links` {
    /// ★ Table: worlds of a size that their author decides.
    enum World: String, CaseIterable, CustomTestStringConvertible {
        /// Links after the same one, with wrong signatures.
        case siblings
        /// The same, which count.
        case signedSiblings
        /// Encodings of one link, all with wrong signatures.
        case encodings
        /// Encodings of a link whose predecessor nobody has.
        case looseEncodings
        /// One link behind the other.
        case chain
        /// The same, each by another keeper that the one before it let in.
        case chainOfSigners
        /// One link behind the other, each with another one beside it.
        case comb
        /// Keepers, as many as there may be, who all sign after the same link.
        case crowd

        var testDescription: String { rawValue }

        func links(_ count: Int) throws -> [Link] {
            var script = ChainScript()
            _ = try script.found()
            try script.say("in", after: "founding", by: ["ada"], keepers: ["xen"])
            switch self {
            case .siblings, .signedSiblings:
                for number in 0..<count {
                    try script.say("\(number)", after: "in", by: ["xen"], add: ["\(number)"])
                }
            case .encodings, .looseEncodings:
                let after = self == .encodings ? "in" : "unknown"
                if self == .looseEncodings {
                    try script.say("unknown", after: "in", by: ["xen"], add: ["eve"])
                }
                try script.say("x", after: after, by: ["xen"], add: ["fay"])
                let link = try script.link("x")
                let known = [try script.link("founding"), try script.link("in")]
                return known
                    + (0..<count).map { link.signed([Self.signature($0)]) }
            case .chain, .comb:
                var last = "in"
                for number in 0..<count {
                    try script.say("\(number)", after: last, by: ["xen"], add: ["\(number)"])
                    if self == .comb {
                        try script.say("b\(number)", after: last, by: ["xen"], add: ["b\(number)"])
                    }
                    last = "\(number)"
                }
            case .chainOfSigners:
                var (last, signer) = ("in", "xen")
                for number in 0..<count {
                    // The one before goes: so there is room for any number of them.
                    let gone = number > 1 ? ["s\(number - 2)"] : []
                    try script.say(
                        "\(number)",
                        after: last,
                        by: ["xen"],
                        keepers: ["s\(number)"],
                        remove: gone
                    )
                    try script.say("b\(number)", after: last, by: [signer], add: ["b\(number)"])
                    (last, signer) = ("\(number)", "s\(number)")
                }
            case .crowd:
                let keepers = (0..<CircleState.keeperCountLimit - 2).map { "k\($0)" }
                try script.say("crowd", after: "in", by: ["ada"], keepers: keepers)
                for number in 0..<count {
                    let signer = keepers[keepers.count - 1 - number % keepers.count]
                    try script.say("\(number)", after: "crowd", by: [signer], add: ["\(number)"])
                }
            }
            return Array(script.links.values)
        }

        private static func signature(_ number: Int) -> [UInt8] {
            [UInt8(number & 255), UInt8(number >> 8)] + [UInt8](repeating: 1, count: 62)
        }

        var areSigned: Bool {
            switch self {
            case .siblings, .encodings, .looseEncodings: false
            case .signedSiblings, .chain, .chainOfSigners, .comb, .crowd: true
            }
        }
    }

    private static func stepCount(_ world: World, _ count: Int) throws -> Int {
        let links = try world.links(count)
        let known = links.filter { $0.isFounding || $0.number == 1 }
        let founding = try #require(links.first { $0.isFounding })
        var chain = CircleChain(founding.code)
        try chain.add(known, trusted: true)
        let before = chain.stepCount
        try chain.add(links.filter { $0.number > 1 }, trusted: world.areSigned)
        return chain.stepCount - before
    }

    @Test(.requirement("CIR-08"), arguments: World.allCases)
    func `takes steps in proportion to their number`(world: World) throws {
        let (few, many) = (try Self.stepCount(world, 250), try Self.stepCount(world, 2_000))
        #expect(many <= few * 9)
        // Each is entered and checked once, and compared with one other in the order.
        let mostKeepers = world == .crowd ? 2 * CircleState.keeperCountLimit : 8
        #expect(many <= 2_000 * (4 + mostKeepers))
    }

    /// What was judged before is not checked again.
    @Test(.requirement("CIR-08")) func `checks each signature once`() throws {
        var circle = try RealCircle()
        let made = try circle.follow(try circle.adding(circle.bob), by: [circle.ada])
        let wrong = (0..<20).map { made.link.signed([[UInt8](repeating: $0, count: 64)]) }
        let before = circle.chain.stepCount
        try circle.chain.add(wrong)
        #expect(circle.chain.stepCount - before == 20 + 2)
        // Entered again, with nothing to check.
        let eve = try circle.follow(
            try circle.adding(try RealCircle.signer()),
            by: [circle.ada]
        )
        let again = circle.chain.stepCount
        try circle.chain.add([eve.link])
        #expect(circle.chain.stepCount - again == 1 + 3)
        #expect(circle.chain.head?.link == eve.link)
    }

    @Test func `ends at the most members that a circle has`() throws {
        var script = ChainScript()
        _ = try script.found()
        let devices = (1..<CircleState.memberCountLimit).map { "d\($0)" }
        try script.say("all", after: "founding", by: ["ada"], add: devices)
        try script.say("more", after: "all", by: ["ada"], add: ["eve"])
        try script.say("other", after: "all", by: ["ada"], add: ["eve"], remove: ["d1"])
        let chain = try script.chain()
        #expect(chain.faults[try script.link("more").digest] == .tooManyMembers)
        #expect(try script.path() == ["all", "other"])
    }

    @Test func `ends at the most keepers that a circle has`() throws {
        var script = ChainScript()
        _ = try script.found()
        let keepers = (1..<CircleState.keeperCountLimit).map { "k\($0)" }
        try script.say("all", after: "founding", by: ["ada"], keepers: keepers)
        try script.say("more", after: "all", by: ["ada"], keepers: ["eve"])
        try script.say("other", after: "all", by: ["ada"], keepers: ["eve"], remove: ["k1"])
        let chain = try script.chain()
        #expect(chain.faults[try script.link("more").digest] == .tooManyKeepers)
        #expect(try script.path() == ["all", "other"])
    }
}
