/// The completions for zsh.
enum ZshCompletion {
    static var text: String {
        let commands = Completion.commands.map { command in
            "        \(Completion.quoted(described(command.name, command.summary)))\n"
        }
        return "#compdef keychainctl\n" + Completion.origin + "\n"
            + "_keychainctl_commands() {\n    local -a commands=(\n" + commands.joined()
            + "    )\n    _describe -t commands command commands\n}\n\n"
            + start + Completion.commands.map(row).joined() + end
    }

    private static let start = """
        _keychainctl() {
            local curcontext=$curcontext state line
            _arguments -C '(- *)--help[list all commands]' '(- *)--version[show the version]' \\
                '-q[leave out notes and warnings]' '-i[read commands from standard input]' \\
                '1:command:_keychainctl_commands' '*::argument:->arguments' && return
            [[ $state == arguments ]] || return 1
            case $line[1] in

        """

    private static let end = """
            esac
        }

        _keychainctl "$@"

        """

    /// Returns the case of one command.
    private static func row(of command: Command) -> String {
        let options = command.options + OptionTable.common
        let specifications: [String] =
            options.flatMap { spellings(of: $0, ChoiceTable.choices(of: $0, in: command)) }
            + operands(of: command)
        let lines = specifications.map { " \\\n                \(Completion.quoted($0))" }
        return "        \(command.name))\n            _arguments -s -S :" + lines.joined()
            + "\n            ;;\n"
    }

    /// Returns one specification for each spelling, which excludes the other spellings.
    private static func spellings(
        of option: CommandOption,
        _ choices: Choices
    ) -> [String] {
        option.spellings.map { spelling in
            let others =
                option.spellings.count > 1
                ? "(\(option.spellings.joined(separator: " ")))" : ""
            let isLong = spelling.hasPrefix("--")
            let meaning = "[\(escaped(option.meaning, "[]\\"))]"
            return switch option.value {
            case .none: others + spelling + meaning
            case .required(let placeholder):
                others + spelling + (isLong ? "=" : "+") + meaning
                    + ":\(escaped(placeholder, ":\\")):" + action(choices)
            case .optional(let placeholder):
                others + spelling + (isLong ? "=" : "+") + meaning
                    + "::\(escaped(placeholder, ":\\")):" + action(choices)
            }
        }
    }

    private static func operands(of command: Command) -> [String] {
        let choices = command.operands.choices
        switch command.operands {
        case .none: return []
        case .keychain: return ["1:keychain:" + action(choices)]
        case .commandLine(let placeholder):
            return ["1:\(escaped(placeholder, ":\\")):", "*::command:_normal"]
        case .choice: return ["1:word:" + action(choices)]
        case .one(let placeholder), .optional(let placeholder):
            return ["1:\(escaped(placeholder, ":\\")):" + action(choices)]
        case .several(let placeholder), .any(let placeholder):
            guard case .wordsThenPaths = choices else {
                return ["*:\(escaped(placeholder, ":\\")):" + action(choices)]
            }
            return ["1:word:" + action(choices), "*:file:_files"]
        }
    }

    private static func action(_ choices: Choices) -> String {
        let words = choices.words.joined(separator: " ")
        return switch choices {
        case .unknown: ""
        case .words, .wordsThenPaths: "(\(words))"
        case .list: "_values -s , word \(words)"
        case .path: "_files"
        case .command: "_keychainctl_commands"
        case .commandLine: "_normal"
        }
    }

    /// Returns `name:meaning` for `_describe`, which splits at the first colon.
    private static func described(_ name: String, _ meaning: String) -> String {
        "\(name):\(meaning)"
    }

    private static func escaped(_ text: String, _ characters: String) -> String {
        text.map { characters.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
