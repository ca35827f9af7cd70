/// The completions for fish.
enum FishCompletion {
    static var text: String {
        Completion.origin + start + Completion.commands.map(row).joined()
    }

    private static let start = """
        function __keychainctl_words
            printf '%s\\n' $argv
        end

        complete -c keychainctl -f
        complete -c keychainctl -n __fish_use_subcommand -l version -d 'show the version'
        complete -c keychainctl -n __fish_use_subcommand -s q -d 'leave out notes and warnings'
        complete -c keychainctl -n __fish_use_subcommand -s i -d 'read commands from standard input'
        complete -c keychainctl -l help -s h -d 'show this help'

        """

    /// Returns the lines of one command: its name, options and operands.
    private static func row(of command: Command) -> String {
        let name = command.name
        let summary = quoted(command.summary)
        let begin = "complete -c keychainctl -n __fish_use_subcommand -a \(name) -d \(summary)\n"
        let inside = "complete -c keychainctl -n '__fish_seen_subcommand_from \(name)'"
        let options = command.options.map { option in
            let choices = ChoiceTable.choices(of: option, in: command)
            return "\(inside) \(arguments(of: option, choices))\n"
        }
        let operands = offered(command.operands.choices).map { "\(inside) \($0)\n" } ?? ""
        return begin + options.joined() + operands
    }

    private static func arguments(of option: CommandOption, _ choices: Choices) -> String {
        let spellings = option.spellings.map { spelling in
            spelling.hasPrefix("--") ? "-l \(spelling.dropFirst(2))" : "-s \(spelling.dropFirst())"
        }
        let value: [String] =
            switch option.value {
            case .none: []
            case .required: ["-r"] + (offered(choices).map { [$0] } ?? [])
            case .optional: offered(choices).map { [$0] } ?? []
            }
        return (spellings + value + ["-d", quoted(option.meaning)]).joined(separator: " ")
    }

    /// Returns the arguments of `complete` that offer values; nil if there are none to offer.
    private static func offered(_ choices: Choices) -> String? {
        let words = choices.words.joined(separator: " ")
        switch choices {
        case .unknown: return nil
        case .words: return "-a \(quoted(words))"
        case .list:
            return "-a \(quoted("(__fish_complete_list , '__keychainctl_words \(words)')"))"
        case .path: return "-F"
        case .command:
            return "-a \(quoted(Completion.commands.map(\.name).joined(separator: " ")))"
        case .wordsThenPaths: return "-F -a \(quoted(words))"
        case .commandLine: return "-F -a '(__fish_complete_command)'"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
