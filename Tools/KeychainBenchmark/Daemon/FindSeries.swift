/// The finds of some number of clients, in rounds.
struct FindSeries {
    let clientCount: Int
    private var found = ClientTimes()
    private var echoed = ClientTimes()
    private var embedded = ClientTimes()
    /// A round trip with the embedded find in the server.
    private var both = ClientTimes()
    /// Of each round, the mean time of a call.
    private var means: [(found: Double, echoed: Double, embedded: Double)] = []

    init(clientCount: Int) { self.clientCount = clientCount }

    mutating func add(
        _ found: ClientTimes,
        _ echoed: ClientTimes,
        _ embedded: ClientTimes,
        _ both: ClientTimes
    ) {
        self.found.calls += found.calls
        self.echoed.calls += echoed.calls
        self.embedded.calls += embedded.calls
        self.both.calls += both.calls
        means.append((found.mean, echoed.mean, embedded.mean))
    }

    func figures(_ itemCount: Int) -> [Figure] {
        let words = clientCount == 1 ? "1 client" : "\(clientCount) clients"
        guard let found = Samples(found.calls), let echoed = Samples(echoed.calls),
            let embedded = Samples(embedded.calls), let both = Samples(both.calls),
            let mean = Samples(means.map(\.found)),
            let floor = Samples(means.map { $0.echoed + $0.embedded }),
            let ratio = Samples.ratios(
                means.map(\.found),
                to: means.map { $0.echoed + $0.embedded }
            )
        else { return [] }
        func figure(_ name: String, _ nanoseconds: Double) -> Figure {
            Figure(
                "\(name), \(words)",
                itemCount: itemCount,
                value: nanoseconds / 1000,
                unit: .microseconds
            )
        }
        return [
            Figure(
                "find through the daemon, median, \(words)",
                itemCount: itemCount,
                value: found.median / 1000,
                unit: .microseconds,
                floor: (echoed.median + embedded.median) / 1000,
                target: .atMost(1.5)
            ),
            figure("find through the daemon, 99 of 100", found.quantile(0.99)),
            Figure(
                "find through the daemon, mean, \(words)",
                itemCount: itemCount,
                value: mean.median / 1000,
                unit: .microseconds,
                floor: floor.median / 1000,
                ratio: ratio.median,
                target: .atMost(1.5)
            ),
            figure("round trip alone, median", echoed.median),
            figure("round trip alone, 99 of 100", echoed.quantile(0.99)),
            figure("embedded find, median", embedded.median),
            figure("round trip with the find in it, median", both.median),
        ]
    }
}
