import KeychainModel

/// `lock-keychain`.
enum LockKeychain {
    /// Locks; without a passcode there is nothing that could keep the keys away, and it says so.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        _ = try context.send(.device(.lock))
        if try context.status().lockState == .unlocked {
            try context.note("warning: without a passcode the keychain stays unlocked")
        }
    }
}
