import KeychainModel

/// `version`.
enum ShowVersion {
    /// Writes `keychainctl` and the version, even if the command was called by another name.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try context.print(line: "keychainctl \(Version.text)")
    }
}
