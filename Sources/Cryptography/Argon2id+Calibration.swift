import Secrets

extension Argon2id {
    /// The largest memory that calibration chooses, in KiB: 256 MiB.
    package static let calibratedMemoryKiBLimit: UInt32 = 256 * 1024

    /// The number of trials of each cost, of which the fastest counts.
    static let trialCount = 3

    /// Finds the cost at which one derivation on this machine takes about the target time.
    ///
    /// - Parameters:
    ///   - target: The processor time of one derivation.
    ///   - memoryKiBLimit: The largest memory to choose, in KiB; at least that of the minimum.
    ///   - processorTime: The processor time of the calling thread, which runs the one lane. A wall
    ///     clock would count waiting on a busy machine as work and choose too low a cost.
    /// - Returns: At least `Cost.minimum`, even if that takes longer than the target. For a target
    ///   of zero it is the minimum, without any trial.
    package static func calibrated(
        target: Duration,
        memoryKiBLimit: UInt32 = calibratedMemoryKiBLimit,
        processorTime: () -> Duration
    ) -> Cost {
        guard target > .zero else { return .minimum }
        return calibrated(target: target, memoryKiBLimit: memoryKiBLimit) { cost in
            duration(of: cost, processorTime)
        }
    }

    /// Finds the cost from trials of two costs.
    ///
    /// The time is proportional to memory times passes, so a trial of the lowest cost determines
    /// how much memory fits, and a second one how many passes. Memory comes first, up to 256 MiB,
    /// because it slows special hardware more than passes do. Other programs can only slow a trial
    /// down, by their use of caches and memory channels, so the fastest trial of a cost is the most
    /// accurate.
    ///
    /// - Parameters:
    ///   - target: The time of one derivation.
    ///   - memoryKiBLimit: The largest memory to choose, in KiB; at least that of the minimum.
    ///   - trial: Derives once at a cost and returns the time; `nil` if it fails.
    /// - Returns: At least `Cost.minimum`, which is also the result if every trial fails.
    static func calibrated(
        target: Duration,
        memoryKiBLimit: UInt32 = calibratedMemoryKiBLimit,
        trial: (Cost) -> Duration?
    ) -> Cost {
        var cost = Cost.minimum
        guard let first = quickest(of: cost, trial) else { return .minimum }
        cost.memoryKiB = scaled(
            cost.memoryKiB,
            by: target / max(first, .nanoseconds(1)),
            limits: cost.memoryKiB...max(cost.memoryKiB, memoryKiBLimit)
        )
        guard let second = quickest(of: cost, trial) else { return .minimum }
        cost.passes = scaled(
            cost.passes,
            by: target / max(second, .nanoseconds(1)),
            limits: cost.passes...Cost.passLimit
        )
        return cost
    }

    private static func quickest(of cost: Cost, _ trial: (Cost) -> Duration?) -> Duration? {
        (0..<trialCount).compactMap { _ in trial(cost) }.min()
    }

    /// Times one derivation; `nil` if the machine cannot do it.
    private static func duration(of cost: Cost, _ processorTime: () -> Duration) -> Duration? {
        let start = processorTime()
        let salt = [UInt8](repeating: 0, count: saltByteCounts.lowerBound)
        do {
            _ = try stretch(Secret(copying: []), salt: salt, cost: cost)
        } catch {
            return nil
        }
        return processorTime() - start
    }

    private static func scaled(
        _ value: UInt32,
        by factor: Double,
        limits: ClosedRange<UInt32>
    ) -> UInt32 {
        let wanted = Double(value) * factor
        guard wanted < Double(limits.upperBound) else { return limits.upperBound }
        return max(UInt32(max(wanted, 0)), limits.lowerBound)
    }
}
