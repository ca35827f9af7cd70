/// The text of `help` and `--help`.
struct HelpText {
    /// The program's name in usage lines.
    let program: String

    /// Returns the command line that shows the help of a command, or the list of all.
    static func invocation(of command: Command?) -> String {
        "keychainctl help" + (command.map { " \($0.name)" } ?? "")
    }

    /// Returns the usage line of a command, or of the program.
    func usage(of command: Command?) -> String {
        "usage: \(program) " + (command?.synopsis ?? "command [options]")
    }

    /// Returns the whole help of one command.
    func page(for command: Command) -> Page {
        var page = Page(line: "\(command.name): \(command.summary)")
        page.append(line: usage(of: command))
        let options = command.options + OptionTable.common
        page.append(TextTable.page(options.map { ["  " + $0.synopsis, $0.meaning] }))
        for remark in command.remarks { page.append(line: remark) }
        if !command.example.isEmpty { page.append(line: "Example: \(command.example)") }
        return page
    }

    /// The help about environment variables.
    static var environment: Page {
        var page = Page(line: "environment: variables that the command and every program read")
        page.append(TextTable.page(EnvironmentTable.rows.map { ["  " + $0.name, $0.meaning] }))
        page.append(line: "Example: KEYCHAIN_HOME=/srv/keychain keychainctl status")
        return page
    }

    /// All commands by their purpose, and first steps.
    var overview: Page {
        var page = Page(line: usage(of: nil))
        let groups = CommandTable.groups.map { group in
            [[""], [group.title]]
                + group.commands.map { ["  " + $0.name, $0.summary] }
        }
        page.append(TextTable.page(groups.flatMap { $0 } + [[""]]))
        page.append(line: "Examples:")
        for line in CommandTable.firstSteps { page.append(line: "  " + line) }
        page.append(line: "")
        page.append(line: "In front of a command, -q leaves out notes and warnings, and -i reads")
        page.append(line: "commands from standard input, where no other user sees their words.")
        page.append(line: "'\(program) help command' explains one command.")
        page.append(
            line: "'\(program) help \(EnvironmentTable.topic)' lists the environment variables."
        )
        return page
    }
}
