import KeychainCommand
import KeychainHost
import KeychainModel
import ScenarioRunner

/// `keychainctl simulate NAME COMMAND`: acts on a device that another process keeps.
///
/// - Source: Documentation/Spec/scenario.md §8; requirement DMN-20.
enum ActOnDevice {
    /// A word that stands for a line of standard input.
    private static let inputMark = "-"

    /// Whether operands name a device and a command, and not scenario files.
    static func isMeant(by operands: [String]) -> Bool {
        if operands.count > 1, DeviceCommand.isVerb(operands[1]) { return true }
        // A misspelled command on a device that runs is told of as such.
        guard let first = operands.first, let place = try? SimulationSocket(first, .current) else {
            return false
        }
        return (try? place.served()) != nil
    }

    static func run(
        _ device: String,
        _ words: ArraySlice<String>,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let place = try ServeDevice.place(device)
        var filled: [String] = []
        for word in words { filled.append(try fill(word, context)) }
        // What is wrong with the words is told before the device is looked for.
        do throws(KeychainError) { _ = try DeviceCommand(filled) } catch {
            throw .usage(error.reason)
        }
        var page = Page()
        do throws(KeychainError) {
            let text = try DeviceClient.act(on: place, filled)
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                page.append(line: String(line))
            }
        } catch { throw .keychain(error) }
        try context.print(page)
    }

    /// The word, or what standard input has in its place.
    private static func fill(
        _ word: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> String {
        if word == inputMark { return try ServeDevice.text(called: "Value", context) }
        guard word.hasSuffix("=" + inputMark) else { return word }
        return word.dropLast() + (try ServeDevice.text(called: "Value", context))
    }
}
