/// `help`.
enum Help {
    /// Explains one command, or lists all of them.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let text = HelpText(program: context.program)
        if arguments.operands.first == EnvironmentTable.topic {
            try context.print(HelpText.environment)
        } else if let word = arguments.operands.first {
            try context.print(text.page(for: CommandTable.command(named: word)))
        } else if arguments.has(.markdown) {
            var page = Page()
            page.append(raw: CommandTable.markdown)
            try context.print(page)
        } else {
            try context.print(text.overview)
        }
    }
}
