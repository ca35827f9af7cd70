/// The operands that may follow a command's options.
enum Operands: Sendable {
    /// Nothing.
    case none
    /// At most one keychain, by its path or name.
    case keychain
    /// One of the words.
    case choice([String])
    /// Exactly one.
    case one(String)
    /// At least one.
    case several(String)
    /// At most one.
    case optional(String)
    /// Any number.
    case any(String)
    /// One operand, then a command line of at least one word.
    case commandLine(after: String)

    /// The part of the usage line, with a space in front, or empty.
    var synopsis: String {
        switch self {
        case .none: ""
        case .keychain: " [keychain]"
        case .choice(let words): " " + words.joined(separator: "|")
        case .one(let placeholder): " \(placeholder)"
        case .several(let placeholder): " \(placeholder) …"
        case .optional(let placeholder): " [\(placeholder)]"
        case .any(let placeholder): " [\(placeholder) …]"
        case .commandLine(let placeholder): " \(placeholder) -- command …"
        }
    }

    /// Checks the number of operands and the choice.
    ///
    /// No message repeats an operand, because it may be a misplaced password.
    ///
    /// - Throws: `CommandFailure.usage`.
    func check(_ operands: [String]) throws(CommandFailure) {
        switch self {
        case .none:
            guard operands.isEmpty else { throw .usage("unexpected argument: give options only") }
        case .keychain:
            guard operands.count <= 1 else {
                throw .usage("too many arguments: give at most one keychain")
            }
        case .choice(let words):
            guard operands.count == 1, words.contains(operands[0]) else {
                let problem = operands.isEmpty ? "missing" : "invalid"
                throw .usage("\(problem) argument: give one of \(words.joined(separator: ", "))")
            }
        case .one(let placeholder):
            guard !operands.isEmpty else { throw .usage("missing argument: \(placeholder)") }
            guard operands.count == 1 else {
                throw .usage("too many arguments: give one \(placeholder)")
            }
        case .several(let placeholder):
            guard !operands.isEmpty else { throw .usage("missing argument: \(placeholder)") }
        case .optional(let placeholder):
            guard operands.count <= 1 else {
                throw .usage("too many arguments: give at most one \(placeholder)")
            }
        case .any: break
        case .commandLine(let placeholder):
            guard !operands.isEmpty else { throw .usage("missing argument: \(placeholder)") }
            guard operands.count >= 2 else { throw .usage("missing command: write it after --") }
        }
    }
}
