import KeychainSync

/// One run: the steps of a seed, then a quiet time, then the checks.
struct Simulation {
    /// The outcome of a run.
    struct Outcome {
        var stepCount = 0
        var linkCount = 0
        var changeCount = 0
        var deviceCount = 0
        var memberCount = 0
        var violation: Violation?
    }

    let seed: UInt64
    let rules: Rules

    /// Runs the given number of steps from the start.
    func run(stepCount: Int) -> Outcome { run(0..<stepCount) }

    /// Runs these steps.
    func run(_ steps: some Sequence<Int>) -> Outcome {
        var outcome = Outcome()
        do {
            let world = try World(seed: seed, rules: rules)
            for number in steps {
                outcome.stepCount += 1
                try world.take(Step(number, of: seed))
            }
            outcome.memberCount = try world.finish()
            outcome.linkCount = try world.links().count
            outcome.changeCount = world.changeCount
            outcome.deviceCount = world.devices.count
        } catch let violation as Violation {
            outcome.violation = violation
        } catch {
            outcome.violation = Violation(.quiescence, "\(error)")
        }
        return outcome
    }

    /// Leaves out steps while the same invariant is still broken.
    ///
    /// - Returns: The numbers of the steps that suffice.
    func shrunk(_ steps: [Int], breaking invariant: Violation.Invariant, runs: Int = 3000) -> [Int]
    {
        var steps = steps
        var runs = runs
        var size = max(steps.count / 2, 1)
        while true {
            var start = 0
            while start < steps.count, runs > 0 {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + size, steps.count))
                runs -= 1
                if run(fewer).violation?.invariant == invariant {
                    steps = fewer
                } else {
                    start += size
                }
            }
            guard size > 1, runs > 0 else { return steps }
            size = max(size / 2, 1)
        }
    }
}
