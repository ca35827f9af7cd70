/// What `help` and `--help` say.
struct HelpText {
    /// The name that stands in front of every usage line.
    let program: String

    /// The usage line of a command; without one, of all.
    func usage(of command: Command?) -> String {
        "usage: \(program) " + (command?.synopsis ?? "command [options]")
    }

    /// Everything about one command.
    func page(for command: Command) -> Page {
        var page = Page(line: "\(command.name): \(command.summary)")
        page.append(line: usage(of: command))
        let options = command.options + OptionTable.common
        page.append(TextTable.page(options.map { ["  " + $0.synopsis, $0.meaning] }))
        for remark in command.remarks { page.append(line: remark) }
        return page
    }

    /// All commands.
    var overview: Page {
        var page = Page(line: usage(of: nil))
        page.append(
            TextTable.page(
                CommandTable.rows.map { command in
                    let suffix = command.isAvailable ? "" : " (not available yet)"
                    return ["  " + command.name, command.summary + suffix]
                }
            )
        )
        page.append(line: "'\(program) help command' explains one command.")
        return page
    }
}
