import Foundation

@testable import ScenarioRunner

extension Scenario {
    /// A scenario as a test writes it down.
    init(_ text: String) throws(ScenarioError) { try self.init(Data(text.utf8), named: "a.json") }

    /// Events on a usual device, with whatever items are given.
    static func of(items: String = "", _ events: String) throws(ScenarioError) -> Scenario {
        try Scenario("{\"title\": \"t\", \"items\": [\(items)], \"events\": [\(events)]}")
    }

    /// Events on a usual device, with items and files.
    static func of(
        items: String = "",
        files: String,
        _ events: String
    ) throws(ScenarioError) -> Scenario {
        try Scenario(
            """
            {"title": "t", "items": [\(items)], "files": [\(files)], "events": [\(events)]}
            """
        )
    }

    /// Runs under both columns and hands out the two.
    func runBoth() throws -> (device: ScenarioRun, simulator: ScenarioRun) {
        let runs = try run([.device, .iOSSimulator], file: "a.json").runs
        return (runs[0], runs[1])
    }

    /// Runs under both behaviors and hands out the two.
    func runDisputed() throws -> (documented: ScenarioRun, appleSource: ScenarioRun) {
        let variants = BehaviorName.allCases.map { ScenarioRun.Variant(.device, $0) }
        let runs = try run(variants, file: "a.json").runs
        return (runs[0], runs[1])
    }

    /// Runs as the file says.
    func runOnce() throws -> ScenarioRun { try run(file: "a.json").runs[0] }
}

extension ScenarioRun {
    /// The observed codes in order.
    var codes: [Int32] { steps.map(\.observed.code) }

    /// The outcomes of an item on the first device, sample by sample.
    func outcomes(of item: String) -> [ItemSample.Outcome] {
        samples.flatMap { $0.devices[0].items.filter { $0.name == item }.map(\.outcome) }
    }

    /// The outcomes of a file on the first device, sample by sample.
    func outcomes(ofFile file: String) -> [ItemSample.Outcome] {
        samples.flatMap { $0.devices[0].files.filter { $0.name == file }.map(\.outcome) }
    }
}

/// The scenarios that the package ships.
enum ShippedScenarios {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/Scenarios")

    static let names = [
        "1-reboot", "2-lock-timing", "3-passcode-removal", "4-enrollment-change",
        "5-backup-to-another-device", "6-background-extension", "7-file-protection", "8-envelope",
        "9-two-devices",
    ]

    static func file(_ name: String) -> URL { folder.appending(path: name + ".json") }

    static func report(_ name: String) throws -> ScenarioReport {
        let scenario = try Scenario(contentsOf: file(name), named: name)
        return try scenario.run([.device, .iOSSimulator], file: name)
    }
}
