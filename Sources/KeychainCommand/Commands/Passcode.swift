import KeychainModel

/// `passcode set`, `passcode change` and `passcode remove`.
enum Passcode {
    static let verbs = ["set", "change", "remove"]

    /// Asks for what the verb needs, the current passcode first; says what a weak one is worth.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let input = SecretInput(context.terminal)
        let verb = arguments.operands.first
        let current = verb == "set" ? nil : try input.line(called: "Current passcode")
        if verb == "remove", let current {
            _ = try context.send(.device(.removePasscode(current: current)))
        } else {
            let new = try input.newLine(called: "New passcode")
            _ = try context.send(.device(.setPasscode(new, current: current)))
            context.warnIfWeak(new.secret, called: "passcode")
        }
    }
}
