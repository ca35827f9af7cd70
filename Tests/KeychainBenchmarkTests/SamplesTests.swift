import Testing

@testable import keychain_benchmark

@Suite struct `Samples of a benchmark` {
    @Test(
        arguments: [
            ([3.0], 3.0), ([3.0, 1.0, 2.0], 2.0), ([4.0, 1.0, 3.0, 2.0], 2.5),
            ([9.0, 1.0, 1.0, 1.0, 1.0], 1.0),
        ] as [([Double], Double)]
    )
    func `have a median`(values: [Double], median: Double) throws {
        #expect(try #require(Samples(values)).median == median)
    }

    @Test func `are none without values`() { #expect(Samples([]) == nil) }

    @Test(
        arguments: [
            (0.0, 1.0), (0.25, 2.0), (0.5, 3.0), (0.625, 3.5), (1.0, 5.0), (7.0, 5.0), (-1.0, 1.0),
        ] as [(Double, Double)]
    )
    func `have quantiles between the least and the greatest`(part: Double, value: Double) throws {
        #expect(try #require(Samples([5, 4, 3, 2, 1])).quantile(part) == value)
    }

    @Test func `are compared pair by pair`() throws {
        let ratios = try #require(Samples.ratios([2, 30, 8], to: [1, 10, 2]))
        #expect(ratios.median == 3)
    }

    @Test func `leave out pairs without a floor`() throws {
        let ratios = try #require(Samples.ratios([2, 30], to: [0, 10]))
        #expect(ratios.count == 1)
        #expect(Samples.ratios([2], to: []) == nil)
    }
}
