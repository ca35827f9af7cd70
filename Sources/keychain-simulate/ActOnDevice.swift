import KeychainCommand
import KeychainHost
import KeychainModel
import ScenarioRunner

/// `keychainctl simulate NAME COMMAND`: acts on a device in another process.
///
/// - Source: Documentation/Spec/scenario.md §8; requirement DMN-20.
enum ActOnDevice {
    /// An operand that stands for a line of standard input.
    private static let inputMark = "-"

    /// Whether the operands name a device and a command, rather than scenario files.
    static func isMeant(by operands: [String]) -> Bool {
        if operands.count > 1, DeviceCommand.isVerb(operands[1]) { return true }
        // A misspelled command for a running device is reported as such.
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
        // A mistake in the words is reported before the device is searched.
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

    /// Returns the word, or the line of standard input that replaces it.
    private static func fill(
        _ word: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> String {
        if word == inputMark { return try ServeDevice.text(called: "Value", context) }
        guard word.hasSuffix("=" + inputMark) else { return word }
        return word.dropLast() + (try ServeDevice.text(called: "Value", context))
    }
}
