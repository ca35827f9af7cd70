import KeychainSync
import TestSupport
import Testing

@testable import keychain_sync_simulation

/// A slice of what `keychain-sync-simulation` runs.
@Suite("A simulation") struct SimulationTests {
    @Test(.requirement("CIR-02", "CIR-03", "CIR-05"), arguments: UInt64(1)...12)
    func `keeps all promises`(seed: UInt64) {
        let outcome = Simulation(seed: seed, rules: Rules()).run(stepCount: 150)
        #expect(outcome.violation == nil)
        #expect(outcome.changeCount > 0)
    }

    /// Runs that broke a promise, until its cause was mended.
    @Test(arguments: [
        // Garbage took the place of the first of two entries: the device stopped for ever.
        59 as UInt64, 767, 1276,
        // What only a stolen device had is lost, and was counted as lost.
        210, 889,
        // The chain dropped the link of a checkpoint, and all before that was trimmed.
        352, 604, 1106,
        // A request was taken back, and approved later.
        434, 906, 1061, 2096, 10_972,
        // A keeper owed a link that promotes whom it removes.
        521,
    ])
    func `keeps all promises where it did not`(seed: UInt64) {
        #expect(Simulation(seed: seed, rules: Rules()).run(stepCount: 200).violation == nil)
    }

    @Test(arguments: Rules.plants.map(\.name))
    func `finds a rule that is turned around`(name: String) throws {
        let rules = try #require(Rules(planting: name))
        let plant = try #require(Rules.plants.first { $0.name == name })
        let found = (plant.seed..<plant.seed + 12).contains { seed in
            Simulation(seed: seed, rules: rules).run(stepCount: 200).violation != nil
        }
        #expect(found)
    }

    @Test func `shows the fewest steps that break a promise`() throws {
        let rules = try #require(Rules(planting: "older-wins"))
        let simulation = Simulation(seed: 1, rules: rules)
        let violation = try #require(simulation.run(stepCount: 60).violation)
        let steps = simulation.shrunk(Array(0..<60), breaking: violation.invariant, runs: 60)
        #expect(steps.count < 60)
        #expect(simulation.run(steps).violation?.invariant == violation.invariant)
    }
}
