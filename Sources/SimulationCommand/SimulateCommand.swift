import DeviceScenarios
import Foundation
import KeychainCommand
import KeychainModel

/// `keychain simulate`: runs scenario files on simulated devices.
///
/// - Source: Documentation/Spec/scenario.md; requirements SIM-20, SIM-22.
package enum SimulateCommand {
    /// Reads every file, then runs them in order, and reports.
    @Sendable package static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard !arguments.has(.json) || !arguments.has(.tap) else {
            throw .usage("--json and --tap exclude each other")
        }
        var scenarios: [(file: String, scenario: Scenario)] = []
        for file in arguments.operands {
            scenarios.append((file, try read(file)))
        }
        var reports: [ScenarioReport] = []
        for (file, scenario) in scenarios {
            let columns: [ScenarioRun.Column] =
                arguments.has(.both) ? [.device, .iOSSimulator] : [.device]
            do {
                reports.append(try scenario.run(columns, file: file))
            } catch {
                throw .keychain(KeychainError(.internal, "\(file): \(error)"))
            }
        }
        try write(reports, arguments, context)
        let failures = reports.flatMap(\.runs).flatMap(\.steps).count { !$0.holds }
        guard failures == 0 else {
            throw .unmet("expectations that do not hold: \(failures)")
        }
    }

    private static func read(_ file: String) throws(CommandFailure) -> Scenario {
        do throws(ScenarioError) {
            return try Scenario(contentsOf: URL(filePath: file), named: file)
        } catch {
            throw .input(error.description)
        }
    }

    private static func write(
        _ reports: [ScenarioReport],
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        if let file = arguments[.junit] { try write(JUnitReport(reports).text, to: file) }
        if let file = arguments[.html] { try write(HTMLReport(reports).text, to: file) }
        if arguments.has(.json) {
            var page = Page()
            page.append(raw: try json(reports) + "\n")
            try context.print(page)
        } else if arguments.has(.tap) {
            var page = Page()
            page.append(raw: TAPReport(reports).text)
            try context.print(page)
        } else {
            try context.print(ReportPage(reports).page)
        }
    }

    private static func json(_ reports: [ScenarioReport]) throws(CommandFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(reports), as: UTF8.self)
        } catch {
            throw .keychain(KeychainError(.internal, "the report cannot be written as JSON"))
        }
    }

    private static func write(_ text: String, to file: String) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
        } catch {
            throw .keychain(KeychainError(.io, "\(file) cannot be written"))
        }
    }
}
