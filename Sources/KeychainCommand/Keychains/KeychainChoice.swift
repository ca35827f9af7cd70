import KeychainHost
import KeychainModel

/// `list-keychains`, `default-keychain` and `login-keychain`.
enum KeychainChoice {
    /// Writes the path of the only keychain; with `-s`, explains which variable selects another
    /// one.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.has(.setSearchList) else {
            guard arguments.operands.isEmpty else {
                throw .usage("unexpected argument: give keychains with -s only")
            }
            var place = context.absentDirectory()
            if place == nil { place = try context.location() }
            return try context.print(line: "    \"\(place ?? "")\"")
        }
        for word in arguments.operands {
            guard case .directory(let path) = try NamedKeychain(word, context.environment) else {
                continue
            }
            _ = try context.keychain(named: word)
            // `-q` must not suppress this: a script would continue and open another keychain.
            return try context.note(
                "nothing changed: programs use \(path) if they start with KEYCHAIN_HOME=\(path)"
            )
        }
        try context.note("note: nothing changed: programs use your keychain already")
    }
}

/// `set-key-partition-list` and related commands.
enum PartitionList {
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        if arguments.has(.password) { try context.warnOfVisibleSecret("passcode") }
        try context.note(
            "note: nothing changed: access groups, not partitions, decide which programs use an"
                + " item"
        )
    }
}
