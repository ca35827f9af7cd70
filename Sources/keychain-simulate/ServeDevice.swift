import KeychainCommand
import KeychainHost
import KeychainModel
import ScenarioRunner
import Secrets

/// `keychainctl simulate --serve`: provides a device to other programs, in the foreground.
///
/// - Source: Documentation/Spec/scenario.md §8; requirements SIM-19, DMN-20.
enum ServeDevice {
    /// ★ Table: the options that only `--serve` takes.
    static let options: [(name: CommandOption.Name, spelling: String)] = [
        (.system, "--system"), (.biometry, "--biometry"),
        (.askPasscode, "--ask-passcode"), (.noPasscode, "--no-passcode"),
    ]

    static func run(_ arguments: Arguments, _ context: CommandContext) throws(CommandFailure) {
        guard arguments.operands.isEmpty else {
            throw .usage("unexpected argument: --serve runs no files")
        }
        let place = try place(arguments[.serve] ?? "")
        let setup = try setup(arguments, name: place.name, context)
        let served: ServedDevice
        do { served = try ServedDevice(setup) } catch {
            throw .keychain(KeychainError(.internal, "the device cannot be made: \(error)"))
        }
        try DeviceServer.run(served, at: place, context)
    }

    /// Returns the socket that a name or path means.
    static func place(_ word: String) throws(CommandFailure) -> SimulationSocket {
        do throws(KeychainError) { return try SimulationSocket(word, .current) } catch {
            throw .usage(error.reason)
        }
    }

    private static func setup(
        _ arguments: Arguments,
        name: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> Scenario.DeviceSetup {
        guard !arguments.has(.askPasscode) || !arguments.has(.noPasscode) else {
            throw .usage("give either --ask-passcode or --no-passcode, not both")
        }
        let passcode =
            if arguments.has(.noPasscode) { String?.none } else if arguments.has(.askPasscode) {
                try text(called: "Passcode", context)
            } else { Scenario.DeviceSetup.usualPasscode }
        do throws(ScenarioError) {
            return try Scenario.DeviceSetup(
                name: name,
                passcode: passcode,
                system: arguments[.system],
                biometry: arguments[.biometry],
                behavior: arguments[.behavior]
            )
        } catch {
            throw .usage("invalid value for --\(error.path): \(error.reason)")
        }
    }

    /// Returns a line of standard input.
    ///
    /// It is not wiped, because a simulated device protects nothing.
    static func text(
        called name: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> String {
        try context.hiddenLine(called: name).secret.withUnsafeBytes {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
