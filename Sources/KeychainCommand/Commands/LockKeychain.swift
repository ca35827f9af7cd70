import KeychainHost
import KeychainModel

/// `lock-keychain`.
enum LockKeychain {
    /// Locks; without a passcode there is nothing that could keep the keys away, and it says so.
    ///
    /// A keychain that cannot be opened is locked all the same: a full disk or a damaged database
    /// must not keep it open for the programs that opened it before.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            try context.change(.lock)
        } catch .keychain(let error) {
            try lock(in: context, despite: error)
            return
        }
        if try context.status().lockState == .unlocked {
            try context.note("warning: without a passcode the keychain stays unlocked")
        }
    }

    private static func lock(
        in context: CommandContext,
        despite error: KeychainError
    ) throws(CommandFailure) {
        do throws(KeychainError) { try context.lockUnopened() } catch { throw .keychain(error) }
        try context.note("warning: locked, and it cannot be opened: \(error.reason)")
    }
}
