import Glibc

/// The command line of the simulation.
@main
struct SimulationCommand {
    private static let usage = """
        usage: keychain-sync-simulation [--seeds COUNT] [--steps COUNT] [--from SEED]
                                        [--plant RULE]
               keychain-sync-simulation --judge COUNT

          --seeds COUNT  how many runs [1000]
          --steps COUNT  steps of each run [500]
          --from SEED    the first seed [1]
          --plant RULE   turn a rule around; the status is 0 if a run notices it
          --judge COUNT  judge so many hostile links, and print how long it takes

        Runs 3 to 8 real devices with a relay and hostile hands, and everything that may go
        wrong. A run that breaks a promise is printed with its seed and the fewest steps that
        break it; then the exit status is 1. Rules to plant:
        """

    private var seedCount = 1000
    private var stepCount = 500
    private var firstSeed: UInt64 = 1
    private var plant: String?
    private var judgedCount: Int?

    static func main() {
        var command = SimulationCommand()
        guard command.take(Array(CommandLine.arguments.dropFirst())) else {
            print(usage)
            for plant in Rules.plants { print("  \(plant.name)") }
            exit(2)
        }
        exit(command.judgedCount.map(judge) ?? command.run())
    }

    private mutating func take(_ arguments: [String]) -> Bool {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst() else { return false }
            let number = UInt64(value)
            switch (option, number) {
            case ("--seeds", let number?): seedCount = Int(clamping: number)
            case ("--steps", let number?): stepCount = Int(clamping: number)
            case ("--from", let number?): firstSeed = number
            case ("--judge", let number?): judgedCount = Int(clamping: number)
            case ("--plant", _): plant = value
            default: return false
            }
        }
        return plant.map { Rules(planting: $0) != nil } ?? true
    }

    private static func judge(_ count: Int) -> Int32 {
        do {
            for world in Judging.World.allCases {
                let time = try Judging(world, linkCount: count).run()
                print("\(count) \(world.rawValue): \(time)")
            }
            return 0
        } catch {
            print(error)
            return 1
        }
    }

    private func run() -> Int32 {
        let rules = plant.flatMap { Rules(planting: $0) } ?? Rules()
        let clock = ContinuousClock()
        let start = clock.now
        var total = Simulation.Outcome()
        for offset in 0..<seedCount {
            let seed = firstSeed + UInt64(offset)
            let simulation = Simulation(seed: seed, rules: rules)
            let outcome = simulation.run(stepCount: stepCount)
            total.stepCount += outcome.stepCount
            total.linkCount += outcome.linkCount
            total.changeCount += outcome.changeCount
            total.deviceCount += outcome.deviceCount
            if let violation = outcome.violation {
                report(violation, of: simulation, stepCount: outcome.stepCount)
                print("found after \(total.stepCount) steps")
                return plant == nil ? 1 : 0
            }
            if (offset + 1) % 50 == 0 { progress(offset + 1, clock.now - start) }
        }
        print(
            """
            \(seedCount) seeds from \(firstSeed), \(total.stepCount) steps, no violation: \
            \(total.deviceCount) devices, \(total.changeCount) changes, \
            \(total.linkCount) links, \(clock.now - start)
            """
        )
        return plant == nil ? 0 : 1
    }

    private func progress(_ count: Int, _ duration: Duration) {
        print("\(count) of \(seedCount) seeds, \(duration)")
        fflush(nil)
    }

    private func report(_ violation: Violation, of simulation: Simulation, stepCount: Int) {
        print("seed \(simulation.seed): \(violation)")
        fflush(nil)
        let steps = simulation.shrunk(Array(0..<stepCount), breaking: violation.invariant)
        print("\(steps.count) of \(stepCount) steps break it:")
        for number in steps { print("  \(Step(number, of: simulation.seed))") }
        if let again = simulation.run(steps).violation, again.text != violation.text {
            print("which then is \(again)")
        }
    }
}
