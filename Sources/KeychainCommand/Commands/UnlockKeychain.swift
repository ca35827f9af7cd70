import KeychainModel
import Secrets

/// `unlock-keychain`.
enum UnlockKeychain {
    /// Unlocks with the passcode of the command line, of a person or of a pipe.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        _ = try context.send(.device(.unlock(passcode: passcode(arguments, context))))
    }

    private static func passcode(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        guard let text = arguments[.password] else {
            return try SecretInput(context.terminal).line(called: "Passcode")
        }
        try context.warnOfVisibleSecret("passcode")
        return SharedSecret(Secret(copying: text.utf8))
    }
}
