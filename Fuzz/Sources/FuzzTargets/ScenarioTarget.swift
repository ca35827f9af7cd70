import Foundation

@testable import ScenarioRunner

extension FuzzTarget {
    /// A scenario file: a fault is told in one line, and what is read keeps to the limits.
    static let scenario = FuzzTarget(name: "scenario") { bytes throws(BrokenLaw) in
        let scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario(Data(bytes), named: "a.json")
        } catch {
            let line = error.description
            try require(line.hasPrefix("a.json: "), "a fault names the file")
            try require(!line.contains { $0.isNewline }, "a fault is told in one line")
            return .refused
        }
        try require(
            (1...ScenarioLimits.devices).contains(scenario.devices.count),
            "there is a device, and not too many"
        )
        try require(scenario.items.count <= ScenarioLimits.items, "items are limited")
        try require(scenario.events.count <= ScenarioLimits.events, "events are limited")
        let moments = scenario.events.map(\.moment)
        try require(zip(moments, moments.dropFirst()).allSatisfy(<=), "time does not go back")
        try require(
            moments.allSatisfy { (0...ScenarioLimits.seconds).contains($0) },
            "moments are finite"
        )
        let devices = Set(scenario.devices.map(\.name))
        try require(
            scenario.events.allSatisfy { devices.contains($0.device) },
            "events happen to devices that there are"
        )
        return .accepted
    }
}
