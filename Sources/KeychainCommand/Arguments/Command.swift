/// One command: its name, what it takes and what it does.
package struct Command: Sendable {
    /// Carries the command out.
    package typealias Run = @Sendable (Arguments, CommandContext) throws(CommandFailure) -> Void

    let name: String
    /// One line for the list of commands, without a full stop.
    let summary: String
    let options: [CommandOption]
    let operands: Operands
    /// The options that cannot be left out.
    let requires: Set<CommandOption.Name>
    /// Sentences behind the options in the command's help.
    let remarks: [String]
    /// A command line, with which the help ends.
    let example: String
    /// Whether it does anything yet.
    let isAvailable: Bool
    /// The program that carries the command out in place of this one; nil for most.
    let companion: String?
    let run: Run

    init(
        _ name: String,
        _ summary: String,
        options: [CommandOption] = [],
        operands: Operands = .none,
        requires: Set<CommandOption.Name> = [],
        remarks: [String] = [],
        example: String,
        run: @escaping Run
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.operands = operands
        self.requires = requires
        self.remarks = remarks
        self.example = example
        self.isAvailable = true
        self.companion = nil
        self.run = run
    }

    private init(unavailable name: String, _ summary: String) {
        self.name = name
        self.summary = summary
        self.options = []
        self.operands = .none
        self.requires = []
        self.remarks = ["Not available yet."]
        self.example = ""
        self.isAvailable = false
        self.companion = nil
        self.run = { _, _ in }
    }

    /// A command that a program of its own carries out, because it needs more than this one has.
    ///
    /// The table knows all of its options and operands, so that help and wrong usage are answered
    /// without the program; it gets the arguments as they were given.
    init(
        _ name: String,
        _ summary: String,
        companion: String,
        options: [CommandOption] = [],
        operands: Operands = .none,
        remarks: [String] = [],
        example: String
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.operands = operands
        self.requires = []
        self.remarks = remarks
        self.example = example
        self.isAvailable = true
        self.companion = companion
        self.run = { _, _ in }
    }

    /// A command whose name is taken and whose work is still to come.
    static func later(_ name: String, _ summary: String) -> Command {
        Command(unavailable: name, summary)
    }

    /// The most optional ones that the synopsis spells out.
    private static let spelledOptionLimit = 4

    /// Name, options and operands on one line; many options are one word.
    var synopsis: String {
        let needed = options.filter { requires.contains($0.name) }.map { " \($0.synopsis)" }
        let optional = options.filter { !requires.contains($0.name) }.map { " [\($0.synopsis)]" }
        let isShort = optional.count <= Self.spelledOptionLimit
        return name + needed.joined() + (isShort ? optional.joined() : " [options]")
            + operands.synopsis
    }
}
