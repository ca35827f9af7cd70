import KeychainHost
import KeychainModel
import Secrets

/// `unlock-keychain`.
enum UnlockKeychain {
    /// Unlocks with a passcode from the command line, a source, a prompt or a pipe.
    ///
    /// Without options, a source that `KEYCHAIN_UNLOCK_WITH` names comes before the prompt and the
    /// pipe.
    ///
    /// This process ends at once, so the command fails if the unlock reaches no other process.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments[.unlockWith] == nil, arguments[.password] == nil,
            let source = context.environment[UnlockSource.variable]
        else {
            // macOS's scripts unlock a new keychain with an empty password.
            if arguments[.password]?.isEmpty == true, try !context.status().isPasscodeSet { return }
            return try unlock(with: try passcode(arguments, context), context)
        }
        try unlock(fromVariable: source, context)
    }

    private static func unlock(
        with passcode: SharedSecret,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let warnings = try context.perform(.unlock(passcode: passcode))
        if let first = warnings.first { throw .keychain(first) }
    }

    /// Unlocks with the source from the variable, unless opening the keychain did so already.
    private static func unlock(
        fromVariable source: String,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let status = try context.status()
        guard status.lockState != .unlocked || !status.isPasscodeSet else { return }
        do throws(CommandFailure) {
            try unlock(with: try secret(from: source, context), context)
        } catch .keychain(let error) {
            let reason =
                "\(UnlockSource.variable): \(error.reason); unset the variable to type the passcode"
            throw .keychain(KeychainError(error.status, reason))
        }
    }

    private static func secret(
        from source: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        let headless = try context.headless()
        return try CommandFailure.wrapping(try headless.passcode(from: UnlockSource(source)))
    }

    private static func passcode(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        if let source = arguments[.unlockWith] {
            guard arguments[.password] == nil else {
                throw .usage("give either -p or --unlock-with, not both")
            }
            return try secret(from: source, context)
        }
        guard let text = arguments[.password] else {
            return try SecretInput(context.terminal).line(called: "Passcode")
        }
        try context.warnOfVisibleSecret("passcode")
        return SharedSecret(Secret(copying: text.utf8))
    }
}
