import Secrets
import Testing

@Suite struct `Comparison in constant time` {
    struct Pair: Sendable, CustomTestStringConvertible {
        let first: [UInt8]
        let second: [UInt8]
        let areEqual: Bool

        var testDescription: String { "\(first) and \(second)" }
    }

    static let pairs: [Pair] = [
        Pair(first: [], second: [], areEqual: true),
        Pair(first: [1, 2, 3], second: [1, 2, 3], areEqual: true),
        Pair(first: [0, 2, 3], second: [1, 2, 3], areEqual: false),
        Pair(first: [1, 2, 3], second: [1, 2, 0x83], areEqual: false),
        Pair(first: [1, 2], second: [1, 2, 0], areEqual: false),
        Pair(first: [], second: [0], areEqual: false),
    ]

    @Test(arguments: pairs)
    func `of arrays sees every difference`(pair: Pair) {
        #expect(constantTimeEquals(pair.first, pair.second) == pair.areEqual)
    }

    @Test(arguments: pairs)
    func `of slices sees every difference`(pair: Pair) {
        let padded = [7] + pair.first
        #expect(constantTimeEquals(padded.dropFirst(), pair.second[...]) == pair.areEqual)
    }

    @Test(arguments: pairs)
    func `of secrets sees every difference`(pair: Pair) {
        let first = Secret(copying: pair.first)
        let second = Secret(copying: pair.second)
        #expect(first.constantTimeEquals(second) == pair.areEqual)
    }
}
