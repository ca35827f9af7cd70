/// The completions for bash.
enum BashCompletion {
    static var text: String {
        let names = Completion.commands.map(\.name).joined(separator: " ")
        return Completion.origin + functions
            + "_keychainctl() {\n"
            + "    local commands=\(Completion.quoted(names))\n"
            + start
            + "    case $command in\n"
            + Completion.commands.map(row).joined()
            + "    esac\n"
            + end
    }

    // bash splits `--option=value` at the equals sign in `COMP_WORDS`.

    /// The shell functions that the cases below call.
    private static let functions = """
        _keychainctl_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }

        _keychainctl_list() {
            local before=''
            [[ $word != *,* ]] || before=${word%,*},
            COMPREPLY=($(compgen -P "$before" -W "$1" -- "${word##*,}"))
        }

        _keychainctl_paths() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        }

        # The words, and once one of them stands there, paths.
        _keychainctl_words_then_paths() {
            local earlier
            for earlier in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                [[ " $1 " != *" $earlier "* ]] || { _keychainctl_paths; return; }
            done
            _keychainctl_words "$1"
        }


        """

    private static let start = """
            # What stands in front of the command changes nothing behind it.
            while ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == -[ilqv]* ]]; do
                COMP_WORDS=("${COMP_WORDS[0]}" "${COMP_WORDS[@]:2}")
                COMP_CWORD=$((COMP_CWORD - 1))
            done
            local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
            local command=${COMP_WORDS[1]-} options='' values='' kind=''
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                _keychainctl_words "$commands -i -q --help --version"
                return
            fi
            if [[ $word == '=' ]]; then
                word=''
            elif [[ $previous == '=' ]] && ((COMP_CWORD > 2)); then
                previous=${COMP_WORDS[COMP_CWORD - 2]}
            fi

        """

    private static let end = """
            if [[ $word == -* ]]; then
                _keychainctl_words "$options"
            elif [[ -n $kind ]]; then
                "_keychainctl_$kind" "$values"
            fi
        }

        complete -F _keychainctl keychainctl

        """

    /// Returns the case of one command: its options, and completions that depend on the word
    /// before.
    private static func row(of command: Command) -> String {
        let options = command.options + OptionTable.common
        let spellings = options.flatMap(\.spellings).joined(separator: " ")
        var text = "        \(command.name))\n            options=\(Completion.quoted(spellings))\n"
        text += operands(command.operands.choices)
        let cases = options.compactMap { option in
            branch(of: option, ChoiceTable.choices(of: option, in: command))
        }
        if !cases.isEmpty {
            text += "            case $previous in\n" + cases.joined() + "            esac\n"
        }
        return text + "            ;;\n"
    }

    /// Returns the case of an option with a value; after such an option the shell offers nothing
    /// else.
    private static func branch(of option: CommandOption, _ choices: Choices) -> String? {
        if case .none = option.value { return nil }
        let pattern = option.spellings.joined(separator: " | ")
        let call = call(choices).map { "\($0.function) \(Completion.quoted($0.words)); " } ?? ""
        return "                \(pattern)) \(call)return ;;\n"
    }

    private static func operands(_ choices: Choices) -> String {
        guard let call = call(choices) else { return "" }
        let kind = call.function.dropFirst("_keychainctl_".count)
        let values = call.words.isEmpty ? "" : " values=\(Completion.quoted(call.words))"
        return "            kind=\(kind)\(values)\n"
    }

    private static func call(_ choices: Choices) -> (function: String, words: String)? {
        let words = choices.words.joined(separator: " ")
        switch choices {
        case .unknown: return nil
        case .words: return ("_keychainctl_words", words)
        case .list: return ("_keychainctl_list", words)
        case .path, .commandLine: return ("_keychainctl_paths", "")
        case .command:
            return ("_keychainctl_words", Completion.commands.map(\.name).joined(separator: " "))
        case .wordsThenPaths: return ("_keychainctl_words_then_paths", words)
        }
    }
}
