import Foundation
import KeychainCommand
import KeychainModel
import ScenarioRunner

/// `keychainctl simulate`: runs scenario files on simulated devices, or provides a device to
/// others.
///
/// - Source: Documentation/Spec/scenario.md; requirements SIM-20, SIM-22.
enum SimulateCommand {
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        if arguments.has(.serve) { return try ServeDevice.run(arguments, context) }
        for option in ServeDevice.options where arguments.has(option.name) {
            throw .usage("\(option.spelling) belongs to --serve: name the device with --serve")
        }
        guard let first = arguments.operands.first else {
            throw .usage("missing argument: file, or --serve and a name")
        }
        if ActOnDevice.isMeant(by: arguments.operands) {
            return try ActOnDevice.run(first, arguments.operands.dropFirst(), context)
        }
        try runFiles(arguments, context)
    }

    /// Reads every file, then runs them in order, and writes the reports.
    private static func runFiles(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard !arguments.has(.json) || !arguments.has(.tap) else {
            throw .usage("give either --json or --tap, not both")
        }
        let variants = try variants(arguments)
        var scenarios: [(file: String, scenario: Scenario)] = []
        for file in arguments.operands {
            scenarios.append((file, try read(file)))
        }
        var reports: [ScenarioReport] = []
        for (file, scenario) in scenarios {
            do {
                reports.append(try scenario.run(variants, file: file))
            } catch {
                throw .keychain(KeychainError(.internal, "\(file): \(error)"))
            }
        }
        try write(reports, arguments, context)
        let failures = reports.flatMap(\.runs).flatMap(\.steps).count { !$0.holds }
        guard failures == 0 else {
            throw .unmet("\(failures) statuses differ from the expected ones; see FAILED above")
        }
    }

    /// Returns a variant for each requested kind of device and each behavior.
    private static func variants(
        _ arguments: Arguments
    ) throws(CommandFailure) -> [ScenarioRun.Variant] {
        let behaviors = try behaviors(arguments[.behavior])
        let columns: [ScenarioRun.Column] =
            arguments.has(.both) ? [.device, .iOSSimulator] : [.device]
        return columns.flatMap { column in
            behaviors.map { ScenarioRun.Variant(column, $0) }
        }
    }

    /// Returns the behaviors that a word means; without one, the file's.
    private static func behaviors(
        _ word: String?
    ) throws(CommandFailure) -> [Scenario.BehaviorName?] {
        guard let word else { return [nil] }
        if word == "both" { return Scenario.BehaviorName.allCases }
        guard let name = Scenario.BehaviorName(rawValue: word) else {
            throw .usage("invalid value for --behavior: give documented, appleSource or both")
        }
        return [name]
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
