/// A parsed command line.
struct Arguments: Sendable {
    /// What an option was given; an option without a value has the empty text.
    private(set) var values: [CommandOption.Name: String] = [:]
    private var present: Set<CommandOption.Name> = []

    /// What is left when the options are gone.
    var operands: [String] = []

    /// Records an option; the last one of a name wins.
    mutating func set(_ name: CommandOption.Name, to value: String?) {
        present.insert(name)
        values[name] = value
    }

    /// Whether the option was given.
    func has(_ name: CommandOption.Name) -> Bool { present.contains(name) }

    /// The option's value; nil when the option or its value is missing.
    subscript(name: CommandOption.Name) -> String? { values[name] }

    /// Checks that options and operands are there as the command needs them.
    ///
    /// - Throws: `CommandFailure.usage`.
    func checkRequirements(of command: Command) throws(CommandFailure) {
        for option in command.options where command.requires.contains(option.name) {
            guard has(option.name) else { throw .usage("\(option.synopsis) is missing") }
        }
        try command.operands.check(operands)
    }
}
