import KeychainModel

/// `version`.
enum ShowVersion {
    /// Writes `keychainctl` and the version, whatever name the command was called by.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try context.print(line: "keychainctl \(Version.text)")
    }
}
