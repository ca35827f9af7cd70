import KeychainModel

/// `passcode set`, `passcode change` and `passcode remove`.
enum Passcode {
    static let verbs = ["set", "change", "remove"]

    /// Asks for what the verb needs, the current passcode first.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let input = SecretInput(context.terminal)
        let verb = arguments.operands.first
        let current = verb == "set" ? nil : try input.line(called: "Current passcode")
        if verb == "remove", let current {
            try context.change(.removePasscode(current: current))
        } else {
            let new = try input.newLine(called: "New passcode")
            try context.change(.setPasscode(new, current: current))
        }
    }
}
