import Cryptography
import Foundation
import KeychainServices

/// The figures that concern a keychain as a whole, or several keychains.
struct WholeFigures {
    let home: BenchmarkHome
    let rounds: Int

    /// Measures a listing of all attributes of 4,000 items.
    func listing() throws -> Figure? {
        let count = 4000
        _ = try home.enter(items: count, tellingProgress: false)
        let query = SampleItem.searchForAll
        let times = try PairedTimes(rounds: 15, calls: 1, .processor) { _ in
            try Calls.list(query, count: count)
        }
        guard let figure = times.figure("", items: nil, target: nil) else {
            return nil
        }
        return Figure(
            "list 4,000 attributes",
            itemCount: count,
            value: figure.value / 1000,
            unit: .milliseconds,
            target: .atMost(50, .value)
        )
    }

    /// Measures the throughput of eight reading threads, divided by that of one.
    func readingThreads(items count: Int) throws -> Figure? {
        _ = try home.enter(items: count)
        let threads = 8
        let calls = rounds * 20
        let lists = (0..<threads).map { thread in
            var generator = SeededNumbers(seed: UInt64(thread))
            return CallList(
                (0..<calls).map { _ in
                    SampleItem(number: Int.random(in: 0..<count, using: &generator))
                        .search(data: true)
                }
            )
        }
        let work: @Sendable (Int) throws -> Void = { thread in
            for query in lists[thread].dictionaries { try Calls.findData(query) }
        }
        var speedUps: [Double] = []
        for _ in 0..<7 {
            let one = try Threads.nanoseconds(1, work)
            let eight = try Threads.nanoseconds(threads, work)
            speedUps.append(one * Double(threads) / eight)
        }
        return Samples(speedUps).map {
            Figure(
                "throughput, eight reading threads ÷ one",
                itemCount: count,
                value: $0.median,
                unit: .times,
                target: .atLeast(1.7)
            )
        }
    }

    /// Returns the cost of a search in the largest keychain, divided by that in the smallest.
    static func growth(_ figures: [Figure]) -> Figure? {
        let found = figures.filter { $0.workload == ReadingWorkloads.findName }
        guard let least = found.first, let most = found.last, found.count > 1 else { return nil }
        return Figure(
            "\(ReadingWorkloads.findName), largest ÷ smallest",
            value: most.value / least.value,
            unit: .times,
            target: .atMost(1.5, .value)
        )
    }

    /// Returns the cost of attributes alone, divided by that with data, and by that of data alone.
    static func attributesAlone(_ figures: [Figure]) -> [Figure] {
        [ReadingWorkloads.bothName, ReadingWorkloads.findName].flatMap {
            attributes(figures, beside: $0)
        }
    }

    private static func attributes(
        _ figures: [Figure],
        beside workload: String
    ) -> [Figure] {
        figures.filter { $0.workload == workload }.compactMap { data in
            let attributes = figures.first {
                $0.workload == ReadingWorkloads.attributesName && $0.itemCount == data.itemCount
            }
            return attributes.map {
                Figure(
                    "\(ReadingWorkloads.attributesName) ÷ \(workload)",
                    itemCount: data.itemCount,
                    value: $0.value / data.value,
                    unit: .times,
                    target: .atMost(1, .value)
                )
            }
        }
    }
}
