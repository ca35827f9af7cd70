import KeychainModel

/// A page of the manual, written from the tables that the parser and the help read.
struct ManualPage {
    /// The name of the page, such as `keychainctl-status`.
    let name: String
    /// The section: 1 for users' programs, 8 for administrators' programs.
    let section: Int
    let text: String

    /// The path below the manual's directory, such as `man1/keychainctl-status.1`.
    var path: String { "man\(section)/\(name).\(section)" }

    /// The origin in every page's footer.
    static let source = "swift-keychain \(Version.text)"

    /// Returns the overview, a page for each command, and a link for each companion program.
    ///
    /// - Parameter date: The date, such as `2026-11-23`, or empty.
    /// - Returns: The pages, with the overview first.
    static func all(date: String) -> [ManualPage] {
        let commands = CommandTable.rows
        return [overview(date: date)] + commands.map { page(for: $0, date: date) }
            + commands.compactMap(link)
    }

    /// Returns the name of a command's page.
    static func name(of command: Command) -> String { "\(Invocation.programName)-\(command.name)" }

    /// Returns a page for the companion's name that shows the command's page; nil without a
    /// companion.
    private static func link(of command: Command) -> ManualPage? {
        command.companion.map { companion in
            let text = ".so man1/\(name(of: command)).1\n"
            return ManualPage(name: companion, section: 1, text: text)
        }
    }

    private static func page(for command: Command, date: String) -> ManualPage {
        let name = name(of: command)
        var roff = RoffText(name, section: 1, date: date, source: source)
        roff.section("NAME")
        roff.line("\(name) - \(command.summary)")
        roff.section("SYNOPSIS")
        roff.line("\(Invocation.programName) \(command.synopsis)")
        if !command.remarks.isEmpty {
            roff.section("DESCRIPTION")
            roff.append(ManualText.parts(of: command.remarks, indentation: 0))
        }
        roff.section("OPTIONS")
        for option in command.options + OptionTable.common {
            roff.append(option, choices: ChoiceTable.choices(of: option, in: command))
        }
        roff.section("EXIT STATUS")
        roff.append(exitStatus)
        if !command.example.isEmpty {
            roff.section("EXAMPLES")
            roff.literal([command.example])
        }
        roff.section("SEE ALSO")
        roff.line("\(Invocation.programName)(1)")
        return ManualPage(name: name, section: 1, text: roff.text)
    }

    private static func overview(date: String) -> ManualPage {
        let name = Invocation.programName
        var roff = RoffText(name, section: 1, date: date, source: source)
        roff.section("NAME")
        roff.line("\(name) - \(CommandTable.purpose)")
        roff.section("SYNOPSIS")
        roff.line("\(name) command [options]")
        roff.section("DESCRIPTION")
        roff.append(ManualText.parts(of: CommandTable.description, indentation: 0))
        roff.section("COMMANDS")
        for group in CommandTable.groups {
            roff.subsection(group.title)
            for command in group.commands {
                roff.entry([command.name])
                roff.line("\(command.summary); see \(Self.name(of: command))(1)")
            }
        }
        roff.section("ENVIRONMENT")
        for row in EnvironmentTable.rows {
            roff.entry([row.name])
            roff.line(row.meaning)
        }
        roff.section("EXIT STATUS")
        roff.append(exitStatus)
        roff.section("EXAMPLES")
        roff.literal(CommandTable.firstSteps)
        roff.section("SEE ALSO")
        roff.line(
            "keychaind(8), keychain-agent(1), keychain-ssh-agent(1), secret-tool(1), security(1)"
        )
        return ManualPage(name: name, section: 1, text: roff.text)
    }

    private static let exitStatus: [ManualText] = [
        .entry(tag: "0", meaning: ["The command did what it was to do."]),
        .entry(tag: "1", meaning: ["There is no such command, or the description says why."]),
        .entry(tag: "2", meaning: ["The usage or the input is wrong."]),
        .entry(tag: "126, 127", meaning: ["Another program cannot run, or is missing."]),
        .entry(
            tag: "other",
            meaning: [
                "The low byte of a status, such as 44 for errSecItemNotFound (-25300) and 36 for",
                "errSecInteractionNotAllowed (-25308). keychainctl error explains a status.",
            ]
        ),
    ]
}

extension RoffText {
    /// Appends an option with its meaning, and with its choices if the meaning lists none.
    mutating func append(_ option: CommandOption, choices: Choices) {
        switch option.value {
        case .none: entry(option.spellings)
        case .required(let placeholder): entry(option.spellings, placeholder)
        case .optional(let placeholder): entry(option.spellings, "[\(placeholder)]")
        }
        line(option.meaning)
        let unnamed = choices.words.filter { !option.meaning.contains($0) }
        guard !unnamed.isEmpty else { return }
        let several = if case .list = choices { ", or several with commas" } else { "" }
        line("(one of \(choices.words.joined(separator: ", "))\(several))")
    }
}
