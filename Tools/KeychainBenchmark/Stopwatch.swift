import Glibc

/// Functions that measure time.
enum Stopwatch {
    /// The kind of time to measure.
    enum Kind {
        /// The wall clock's time, for work that waits for a disk or for other threads.
        case wall
        /// The processor time of this thread and of the system for it. It suits work that never
        /// waits, because other work of the machine does not count.
        case processor

        fileprivate var clock: clockid_t {
            switch self {
            case .wall: CLOCK_MONOTONIC
            case .processor: CLOCK_THREAD_CPUTIME_ID
            }
        }
    }

    /// Returns the time of the body in nanoseconds.
    static func nanoseconds(_ kind: Kind = .wall, _ body: () throws -> Void) rethrows -> Double {
        let start = now(kind)
        try body()
        return now(kind) - start
    }

    /// Returns the present time in nanoseconds.
    static func now(_ kind: Kind = .wall) -> Double {
        var time = timespec()
        clock_gettime(kind.clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// Two kinds of work, measured in turn, so that a disturbance affects both.
struct PairedTimes {
    /// The nanoseconds for each call, in every round.
    private(set) var mine: [Double] = []
    private(set) var floor: [Double] = []

    /// - Parameters:
    ///   - rounds: The number of measurements of each kind, after two that do not count.
    ///   - calls: The number of calls in one measurement.
    ///   - kind: The kind of time to measure.
    ///   - body: Makes call number n, counted over all rounds.
    ///   - floorBody: Makes the same call of the floor; nil if there is no floor.
    init(
        rounds: Int,
        calls: Int,
        _ kind: Stopwatch.Kind = .wall,
        _ body: (Int) throws -> Void,
        floor floorBody: ((Int) throws -> Void)? = nil
    ) rethrows {
        let warmUp = 2
        for round in 0..<rounds + warmUp {
            let numbers = round * calls..<(round + 1) * calls
            let mine = try Stopwatch.nanoseconds(kind) {
                for number in numbers { try body(number) }
            }
            let floor = try floorBody.map { floorBody in
                try Stopwatch.nanoseconds(kind) { for number in numbers { try floorBody(number) } }
            }
            guard round >= warmUp else { continue }
            self.mine.append(mine / Double(calls))
            if let floor { self.floor.append(floor / Double(calls)) }
        }
    }

    /// Returns the figure in microseconds; nil if nothing was measured.
    func figure(_ name: String, items: Int?, target: FigureTarget?) -> Figure? {
        guard let mine = Samples(mine) else { return nil }
        let ratios = Samples.ratios(self.mine, to: floor)
        return Figure(
            name,
            itemCount: items,
            value: mine.median / 1000,
            unit: .microseconds,
            floor: ratios == nil ? nil : Samples(floor).map { $0.median / 1000 },
            ratio: ratios?.median,
            target: target
        )
    }
}
