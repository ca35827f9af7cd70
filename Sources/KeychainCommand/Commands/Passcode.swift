import KeychainHost
import KeychainModel
import Secrets

/// `passcode set`, `passcode change`, `passcode remove` and `passcode seal`.
enum Passcode {
    static let verbs = ["set", "change", "remove", "seal"]

    /// Prompts for the secrets of the verb, the current passcode first.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let input = SecretInput(context.terminal)
        let verb = arguments.operands.first
        let keepsPasscode = arguments.has(.rekey)
        guard !keepsPasscode || verb == "change" else {
            throw .usage("option --rekey is for passcode change only")
        }
        guard verb == "seal" || !arguments.has(.unlockWith) else {
            throw .usage("option --unlock-with is for passcode seal only")
        }
        guard verb == "remove" || !arguments.has(.force) else {
            throw .usage("option --force is for passcode remove only")
        }
        if verb == "seal" { return try seal(arguments, input, context) }
        try checkPasscode(isToBeSet: verb == "set", context)
        guard verb != "set" else {
            return try set(try input.newLine(called: "New passcode"), current: nil, in: context)
        }
        guard verb == "change" else { return try remove(arguments, input, context) }
        let current = try input.line(called: "Current passcode")
        let new = keepsPasscode ? current : try input.newLine(called: "New passcode")
        try set(new, current: current, in: context)
    }

    /// Names the items that are lost with the passcode, and removes it if the user agrees.
    private static func remove(
        _ arguments: Arguments,
        _ input: SecretInput,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let name = "Current passcode"
        let proven = try context.provePasscodeToDaemon(called: name)
        let isAsking = try PasscodeLosses(context).confirm(arguments, context)
        let current: SharedSecret
        if let proven, !isAsking {
            current = proven
        } else {
            current = try input.line(called: name)
        }
        try context.change(.removePasscode(current: current))
    }

    /// Fails, before any prompt, unless a passcode is missing or set as the verb requires.
    private static func checkPasscode(
        isToBeSet: Bool,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let isSet = try context.status().isPasscodeSet
        guard isSet == isToBeSet else { return }
        let reason =
            isSet
            ? "a passcode is set already; run keychainctl passcode change"
            : "the keychain has no passcode; run keychainctl passcode set"
        throw .keychain(KeychainError(.authFailed, reason))
    }

    /// Sets the passcode.
    ///
    /// Wraps every row again, which takes a while in a large keychain.
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

    /// Seals the passcode for `--unlock-with tpm`.
    private static func seal(
        _ arguments: Arguments,
        _ input: SecretInput,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let source = try CommandFailure.wrapping(try UnlockSource(arguments[.unlockWith] ?? "tpm"))
        guard case .tpm(let place) = source else {
            throw .usage("invalid value for --unlock-with: give tpm or tpm:TCTI")
        }
        let passcode = try input.line(called: "Passcode")
        let (headless, endpoint) = (try context.headless(), try context.connected())
        try CommandFailure.wrapping(try headless.seal(passcode, place: place, at: endpoint))
    }

    private static func showingProgress(
        in context: CommandContext,
        _ work: () throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let line = ProgressLine("passcode", on: context)
        // The last row clears the progress line, so that later output begins on an empty line.
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
