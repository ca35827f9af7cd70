import KeychainModel

/// A parsed command line.
package struct Arguments: Sendable {
    /// The last value of each option; the empty text for an option without a value.
    private(set) var values: [CommandOption.Name: String] = [:]
    /// All values of each option, in order.
    private var lists: [CommandOption.Name: [String]] = [:]
    private var present: Set<CommandOption.Name> = []

    /// The arguments that are neither options nor their values.
    package var operands: [String] = []

    /// Records an option; a later value replaces an earlier one.
    mutating func set(_ name: CommandOption.Name, to value: String?) {
        present.insert(name)
        values[name] = value
        if let value { lists[name, default: []].append(value) }
    }

    /// Returns every value of an option that may be repeated.
    func all(_ name: CommandOption.Name) -> [String] { lists[name] ?? [] }

    /// Whether the option was given.
    package func has(_ name: CommandOption.Name) -> Bool { present.contains(name) }

    /// The option's value; nil when the option or its value is missing.
    package subscript(name: CommandOption.Name) -> String? { values[name] }

    /// Checks that the options and operands which the command requires are present.
    ///
    /// - Throws: `CommandFailure.usage`.
    func checkRequirements(of command: Command) throws(CommandFailure) {
        for option in command.options where command.requires.contains(option.name) {
            guard has(option.name) else { throw .usage("missing option: \(option.synopsis)") }
        }
        try command.operands.check(operands)
    }

    /// Returns the attributes that the given options set.
    ///
    /// - Throws: `CommandFailure.usage` for a value of the wrong form.
    func attributes(
        of options: [CommandOption]
    ) throws(CommandFailure) -> AttributeDictionary {
        var attributes: AttributeDictionary = [:]
        for option in options {
            guard let target = option.target, let text = self[option.name] else { continue }
            guard let value = target.value(of: text) else {
                throw .usage("invalid value for \(option.spellings[0]): give \(target.expectation)")
            }
            attributes[target.attribute] = value
        }
        return attributes
    }

    /// Returns the value of an option that takes one of a few words; nil without the option.
    ///
    /// - Throws: `CommandFailure.usage` for another word.
    func choice(
        _ name: CommandOption.Name,
        _ spelling: String,
        of words: [String]
    ) throws(CommandFailure) -> String? {
        guard let word = self[name] else { return nil }
        guard words.contains(word) else {
            let list = words.joined(separator: ", ")
            throw .usage("invalid value for \(spelling): give one of \(list)")
        }
        return word
    }
}

extension CommandContext {
    /// Prints a note about each option of macOS that has no effect here.
    func noteIneffective(_ arguments: Arguments) throws(CommandFailure) {
        if arguments.has(.anyApplication) || arguments.has(.application) {
            try note(
                "note: -A and -T have no effect; access groups decide which programs see an item"
            )
        }
    }
}
