/// The finds of a number of clients, in rounds.
///
/// The floor is a round trip and an embedded find, each measured with as many clients at once. A
/// call through a daemon waits for the processors each time. A find in a loop waits only when its
/// share of time is over. Therefore the ratio compares means, and medians have no floor.
struct FindSeries {
    /// The measurements of one round, made one after the other.
    struct Round {
        let found: ClientTimes
        let echoed: ClientTimes
        let embedded: ClientTimes
        /// A round trip with the embedded find in the server.
        let both: ClientTimes

        var floor: Double { echoed.mean + embedded.mean }
        var processorFloor: Double { echoed.processorMean + embedded.processorMean }
    }

    let clientCount: Int
    private var rounds: [Round] = []

    init(clientCount: Int) { self.clientCount = clientCount }

    mutating func add(_ round: Round) { rounds.append(round) }

    private var words: String { clientCount == 1 ? "1 client" : "\(clientCount) clients" }

    func figures(_ itemCount: Int) -> [Figure] {
        let all = rounds.flatMap(\.found.calls)
        let figures = [
            pair("find through the daemon", \.found.mean, \.floor, .atMost(1.5), itemCount),
            pair(
                "its processor time",
                \.found.processorMean,
                \.processorFloor,
                nil,
                itemCount
            ),
            figure("median", Samples(all)?.median, itemCount),
            figure("99 of 100", Samples(all)?.quantile(0.99), itemCount),
            figure("round trip alone", median(\.echoed.mean), itemCount),
            figure("embedded find", median(\.embedded.mean), itemCount),
            figure("round trip with the find in it", median(\.both.mean), itemCount),
        ]
        return figures.compactMap { $0 }
    }

    private func median(_ part: KeyPath<Round, Double>) -> Double? {
        Samples(rounds.map { $0[keyPath: part] })?.median
    }

    private func figure(_ name: String, _ nanoseconds: Double?, _ itemCount: Int) -> Figure? {
        guard let nanoseconds else { return nil }
        return Figure(
            "\(name), \(words)",
            itemCount: itemCount,
            value: nanoseconds / 1000,
            unit: .microseconds
        )
    }

    /// Returns a figure and its floor, compared round by round.
    private func pair(
        _ name: String,
        _ mine: KeyPath<Round, Double>,
        _ floor: KeyPath<Round, Double>,
        _ target: FigureTarget?,
        _ itemCount: Int
    ) -> Figure? {
        guard let cost = median(mine), let least = median(floor),
            let ratio = Samples.ratios(
                rounds.map { $0[keyPath: mine] },
                to: rounds.map { $0[keyPath: floor] }
            )
        else { return nil }
        return Figure(
            "\(name), \(words)",
            itemCount: itemCount,
            value: cost / 1000,
            unit: .microseconds,
            floor: least / 1000,
            ratio: ratio.median,
            target: target
        )
    }
}
