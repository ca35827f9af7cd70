import KeychainHost
import KeychainModel
import Secrets

/// `unlock-keychain`.
enum UnlockKeychain {
    /// Unlocks with the passcode of the command line, of a source, of a person or of a pipe.
    ///
    /// This process ends at once: an unlock that no other process learns of is a failure.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let warnings = try context.perform(.unlock(passcode: passcode(arguments, context)))
        if let first = warnings.first { throw .keychain(first) }
    }

    private static func passcode(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        if let source = arguments[.unlockWith] {
            guard arguments[.password] == nil else {
                throw .usage("-p and --unlock-with exclude each other")
            }
            return try context.headless { endpoint throws(KeychainError) in
                try endpoint.passcode(from: UnlockSource(source))
            }
        }
        guard let text = arguments[.password] else {
            return try SecretInput(context.terminal).line(called: "Passcode")
        }
        try context.warnOfVisibleSecret("passcode")
        return SharedSecret(Secret(copying: text.utf8))
    }
}
