import KeychainHost
import KeychainModel
import Secrets

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
        let keepsPasscode = arguments.has(.rekey)
        guard !keepsPasscode || verb == "change" else {
            throw .usage("--rekey goes with change")
        }
        guard verb != "set" else {
            return try set(try input.newLine(called: "New passcode"), current: nil, in: context)
        }
        let current = try input.line(called: "Current passcode")
        guard verb == "change" else { return try context.change(.removePasscode(current: current)) }
        let new = keepsPasscode ? current : try input.newLine(called: "New passcode")
        try set(new, current: current, in: context)
    }

    /// Wraps every row anew, which takes a while in a large keychain.
    private static func set(
        _ new: SharedSecret,
        current: SharedSecret?,
        in context: CommandContext
    ) throws(CommandFailure) {
        try showingProgress(in: context) { () throws(CommandFailure) in
            try context.change(.setPasscode(new, current: current))
        }
        context.warnIfWeak(new.secret, called: "passcode")
    }

    private static func showingProgress(
        in context: CommandContext,
        _ work: () throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let line = ProgressLine("passcode", on: context)
        // The last row ends the work: what is said after it begins a line of its own.
        WorkProgress.listen { done, total in
            if done < total { line.show(done) } else { line.clear() }
        }
        defer {
            WorkProgress.listen(nil)
            line.clear()
        }
        try work()
    }
}
