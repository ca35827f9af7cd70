import Secrets

extension Argon2id {
    /// The most memory calibration chooses, in KiB: 256 MiB.
    static let calibratedMemoryKiBLimit: UInt32 = 256 * 1024

    /// Finds the cost at which one derivation on this machine takes about the target.
    ///
    /// - Parameters:
    ///   - target: How long the person may wait for one derivation.
    ///   - now: A clock that never goes back; read before and after each trial.
    /// - Returns: At least `Cost.minimum`, even if that takes longer than the target.
    package static func calibrated(target: Duration, now: () -> Duration) -> Cost {
        calibrated(target: target) { cost in duration(of: cost, now: now) }
    }

    /// Finds the cost from two trials.
    ///
    /// The time is proportional to memory times passes, so one trial at the least cost tells how
    /// much memory fits, and a second one how many passes. Memory comes first, up to 256 MiB: it
    /// hurts special hardware more than passes do.
    ///
    /// - Parameters:
    ///   - target: How long one derivation may take.
    ///   - trial: Derives once at a cost and tells how long that took; `nil` when it cannot.
    /// - Returns: At least `Cost.minimum`, which is also the answer when a trial fails.
    static func calibrated(target: Duration, trial: (Cost) -> Duration?) -> Cost {
        var cost = Cost.minimum
        guard let first = trial(cost) else { return .minimum }
        cost.memoryKiB = scaled(
            cost.memoryKiB,
            by: target / max(first, .nanoseconds(1)),
            limits: cost.memoryKiB...calibratedMemoryKiBLimit
        )
        guard let second = trial(cost) else { return .minimum }
        cost.passes = scaled(
            cost.passes,
            by: target / max(second, .nanoseconds(1)),
            limits: cost.passes...Cost.passLimit
        )
        return cost
    }

    /// Times one derivation; `nil` when the machine cannot do it.
    private static func duration(of cost: Cost, now: () -> Duration) -> Duration? {
        let start = now()
        let salt = [UInt8](repeating: 0, count: saltByteCounts.lowerBound)
        do {
            _ = try stretch(Secret(copying: []), salt: salt, cost: cost)
        } catch {
            return nil
        }
        return now() - start
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
