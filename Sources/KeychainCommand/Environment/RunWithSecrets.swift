import KeychainModel

/// `env`.
enum RunWithSecrets {
    /// Runs a command with the passwords of a service in variables named after their accounts.
    ///
    /// The command replaces this process, so no part of the keychain stays in memory.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let filter = try arguments.attributes(of: OptionTable.env)
        let word = arguments.operands[0]
        let service =
            arguments.has(.exact) ? word : try service(called: word, filter, context)
        let variables = SecretVariables(
            service: service,
            context: context,
            allowed: Set(arguments.all(.allowVariable))
        )
        try context.launch(
            ProgramLaunch(
                program: arguments.operands[1],
                arguments: Array(arguments.operands.dropFirst(2)),
                variables: try variables.read(filter)
            )
        )
    }

    /// Returns the service that a word names: by a path, by its full name, or by its short name.
    ///
    /// - Throws: `CommandFailure.input` if several services match.
    private static func service(
        called word: String,
        _ filter: AttributeDictionary,
        _ context: CommandContext
    ) throws(CommandFailure) -> String {
        if let path = ProjectService.service(atPath: word) { return path }
        let listing = try context.listing(of: .genericPassword, where: filter, returning: [])
        let attributes = listing.items.map(\.attributes) + listing.outOfReach.map(\.attributes)
        var services = Set<String>()
        for case .string(let service)? in attributes.map({ $0[.service] })
        where service == word || ProjectService.shortName(of: service) == word {
            services.insert(service)
        }
        guard services.count > 1 else { return services.first ?? word }
        let names = services.sorted().joined(separator: ", ")
        let exact = services.contains(word) ? ", or add --exact for '\(word)' itself" : ""
        throw .input("'\(word)' could be \(names); give the path of the project's folder\(exact)")
    }
}
