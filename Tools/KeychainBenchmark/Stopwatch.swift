import Glibc

/// Takes times.
enum Stopwatch {
    /// Which time is taken.
    enum Kind {
        /// The wall clock's: for what waits for a disk or for other threads.
        case wall
        /// The processor's, spent by this thread and by the system for it: for what waits for
        /// nothing, so that other work of the machine does not count.
        case processor

        fileprivate var clock: clockid_t {
            switch self {
            case .wall: CLOCK_MONOTONIC
            case .processor: CLOCK_THREAD_CPUTIME_ID
            }
        }
    }

    /// How long the body took, in nanoseconds.
    static func nanoseconds(_ kind: Kind = .wall, _ body: () throws -> Void) rethrows -> Double {
        let start = now(kind)
        try body()
        return now(kind) - start
    }

    /// The time now, in nanoseconds.
    static func now(_ kind: Kind = .wall) -> Double {
        var time = timespec()
        clock_gettime(kind.clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// Two things measured in turn, so that what disturbs one disturbs the other.
struct PairedTimes {
    /// Nanoseconds for each call, of every round.
    private(set) var mine: [Double] = []
    private(set) var floor: [Double] = []

    /// - Parameters:
    ///   - rounds: How many measurements of each; two more are made first and forgotten.
    ///   - calls: How many calls one measurement covers.
    ///   - kind: Which time is taken.
    ///   - body: Makes call number n, counted over all rounds.
    ///   - floorBody: The same of the floor; nil without one.
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

    /// The figure in microseconds; nil if nothing was measured.
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
