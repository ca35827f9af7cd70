import TestSupport
import Testing

@testable import keychain_benchmark

@Suite struct `Finds of several clients` {
    private static func series() -> FindSeries {
        var series = FindSeries(clientCount: 4)
        series.add(
            FindSeries.Round(
                found: times(mean: 3000, processor: 900, calls: [1000, 3000, 5000]),
                echoed: times(mean: 1000, processor: 100),
                embedded: times(mean: 1000, processor: 200),
                both: times(mean: 2500, processor: 400)
            )
        )
        series.add(
            FindSeries.Round(
                found: times(mean: 6000, processor: 1100, calls: [7000, 9000]),
                echoed: times(mean: 2000, processor: 100),
                embedded: times(mean: 1000, processor: 300),
                both: times(mean: 3500, processor: 400)
            )
        )
        return series
    }

    /// What four clients measured that made ten calls.
    private static func times(
        mean: Double,
        processor: Double,
        calls: [Double] = []
    ) -> ClientTimes {
        ClientTimes(
            clientCount: 4,
            window: mean * 10 / 4,
            callCount: 10,
            calls: calls,
            processor: processor * 10
        )
    }

    private static func figure(_ words: String) throws -> Figure {
        try #require(series().figures(1000).first { $0.workload.hasPrefix(words) })
    }

    @Test
    func `have the sum of a round trip and an embedded find as their floor`() throws {
        let found = try Self.figure("find through the daemon, 4 clients")
        #expect(found.value == 4.5)
        #expect(found.floor == 2.5)
    }

    @Test
    func `are compared with that floor round by round`() throws {
        let found = try Self.figure("find through the daemon, 4 clients")
        #expect(found.ratio == 1.75)
        #expect(found.isMet == false)
    }

    @Test
    func `tell what clients and daemon take of the processors`() throws {
        let time = try Self.figure("its processor time")
        #expect(time.value == 1)
        #expect(time.floor == 0.35)
        #expect(time.isMet == nil)
    }

    @Test func `tell what single calls took`() throws {
        #expect(try Self.figure("median").value == 5)
    }

    @Test func `are none without a round`() {
        #expect(FindSeries(clientCount: 1).figures(1000).isEmpty)
    }
}
