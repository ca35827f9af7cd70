import Foundation
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite struct `The shipped scenarios` {
    @Test(.requirement("SIM-01", "SIM-20"), arguments: ShippedScenarios.names)
    func `hold on a device and on the iOS Simulator`(name: String) throws {
        let report = try ShippedScenarios.report(name)
        let broken = report.runs.flatMap(\.steps).filter { !$0.holds }
        #expect(broken.map { "\($0.number): \($0.observed.words)" } == [])
        #expect(report.runs.map(\.column) == [.device, .iOSSimulator])
    }

    @Test(
        arguments: ShippedScenarios.names.filter { !$0.hasPrefix("5") }
    )
    func `show what the iOS Simulator hides`(name: String) throws {
        let report = try ShippedScenarios.report(name)
        let pairs = zip(report.runs[0].steps, report.runs[1].steps)
        #expect(pairs.contains { $0.observed != $1.observed })
    }

    @Test func `are all there is in their folder`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: ShippedScenarios.folder.path
        )
        #expect(files.sorted() == ShippedScenarios.names.map { $0 + ".json" })
    }

    @Test(arguments: ShippedScenarios.names)
    func `take less than a second each`(name: String) throws {
        let duration = try threadTime { _ = try ShippedScenarios.report(name) }
        #expect(duration > .zero)
        #expect(duration < .seconds(1))
    }
}
