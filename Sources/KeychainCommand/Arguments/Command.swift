/// One command: its name, its options and operands, and its work.
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
    /// Sentences that follow the options in the command's help.
    let remarks: [String]
    /// A command line as an example, at the end of the help.
    let example: String
    /// The program that carries the command out instead of this one; nil for most commands.
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
        self.companion = nil
        self.run = run
    }

    /// Makes a command that a companion program carries out, because it needs more than this one
    /// has.
    ///
    /// The table lists all of its options and operands. Help and messages about wrong usage
    /// therefore need no companion. The companion gets the arguments unchanged.
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
        self.companion = companion
        self.run = { _, _ in }
    }

    /// The greatest number of optional options that the synopsis spells out.
    private static let spelledOptionLimit = 4

    /// The name, options and operands on one line; `[options]` replaces a long list.
    var synopsis: String {
        let needed = options.filter { requires.contains($0.name) }.map { " \($0.synopsis)" }
        let optional = options.filter { !requires.contains($0.name) }.map { " [\($0.synopsis)]" }
        let isShort = optional.count <= Self.spelledOptionLimit
        return name + needed.joined() + (isShort ? optional.joined() : " [options]")
            + operands.synopsis
    }
}
