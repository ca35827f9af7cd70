import TestSupport
import Testing

@testable import keychain_benchmark

@Suite struct `Finds of several clients` {
    private static func series() -> FindSeries {
        var series = FindSeries(clientCount: 4)
        series.add(
            ClientTimes(elapsed: [2000, 4000], calls: [1000, 3000, 5000]),
            ClientTimes(elapsed: [1000, 1000], calls: [500, 1000, 9000]),
            ClientTimes(elapsed: [1000, 1000], calls: [900, 1000, 1000]),
            ClientTimes()
        )
        series.add(
            ClientTimes(elapsed: [6000, 6000], calls: [3000, 3000]),
            ClientTimes(elapsed: [1000, 3000], calls: [1000]),
            ClientTimes(elapsed: [1000, 1000], calls: [1000]),
            ClientTimes(elapsed: [2000, 2000], calls: [2000])
        )
        return series
    }

    @Test(.requirement("DMN-18"))
    func `have the sum of a round trip and an embedded find as their floor`() throws {
        let median = try #require(
            Self.series().figures(1000).first { $0.workload.contains("daemon, median") }
        )
        #expect(median.value == 3)
        #expect(median.floor == 2)
        #expect(median.ratio == 1.5)
        #expect(median.isMet == true)
    }

    @Test(.requirement("DMN-18"))
    func `are compared with that floor round by round`() throws {
        let mean = try #require(Self.series().figures(1000).first { $0.workload.contains("mean") })
        #expect(mean.value == 4.5)
        #expect(mean.ratio == 1.75)
        #expect(mean.isMet == false)
    }

    @Test func `are none without a round`() {
        #expect(FindSeries(clientCount: 1).figures(1000).isEmpty)
    }
}
