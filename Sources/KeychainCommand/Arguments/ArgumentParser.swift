/// Reads a command line by a command's options.
///
/// Follows getopt(3), as macOS does: letters may be joined (`-gw`), a value may follow its letter
/// directly (`-aalice`), `--` ends the options. A dash and a digit begin an operand, so that
/// negative numbers need no quoting. Options may also follow operands.
/// - Source: XBD §12.2 of POSIX.1-2017 for the letters.
struct ArgumentParser {
    private let options: [String: CommandOption]
    private var rest: ArraySlice<String> = []
    private var arguments = Arguments()

    init(_ command: Command) {
        var options: [String: CommandOption] = [:]
        for option in command.options + OptionTable.common {
            for spelling in option.spellings where options[spelling] == nil {
                options[spelling] = option
            }
        }
        self.options = options
    }

    /// - Throws: `CommandFailure.usage`, with a text that repeats no value.
    func parse(_ words: [String]) throws(CommandFailure) -> Arguments {
        var parser = self
        parser.rest = words[...]
        try parser.run()
        return parser.arguments
    }

    private mutating func run() throws(CommandFailure) {
        while let word = rest.popFirst() {
            if word == "--" {
                arguments.operands += rest
                return
            } else if word.hasPrefix("--") {
                try takeLong(word)
            } else if Self.isCluster(word) {
                try takeCluster(word.dropFirst())
            } else {
                arguments.operands.append(word)
            }
        }
    }

    /// Returns the complaint about an unknown option, with the nearest known option.
    ///
    /// A word unlike any option may be a misplaced password, so the complaint does not repeat it.
    private func unknown(_ word: String) -> String {
        let isLikeOption = word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
        guard isLikeOption else { return "unknown option that begins with --" }
        let known = options.keys.filter { $0.hasPrefix("--") }.sorted()
        let nearest = Spelling.nearest(to: word, in: known)
        return "unknown option \(word)" + (nearest.map { " (did you mean \($0)?)" } ?? "")
    }

    private static func isCluster(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !("0"..."9").contains(second)
    }

    private mutating func takeLong(_ word: String) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let option = options[String(parts[0])] else {
            throw .usage(unknown(String(parts[0])))
        }
        if case .none = option.value, attached != nil {
            throw .usage("\(option.spellings[0]) takes no value: leave out = and what follows")
        }
        try take(option, attached: attached)
    }

    private mutating func takeCluster(_ letters: Substring) throws(CommandFailure) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = options["-\(letter)"] else {
                throw .usage("unknown option -\(letter)")
            }
            if case .none = option.value {
                arguments.set(option.name, to: "")
                continue
            }
            return try take(option, attached: letters.isEmpty ? nil : String(letters))
        }
    }

    private mutating func take(
        _ option: CommandOption,
        attached: String?
    ) throws(CommandFailure) {
        switch option.value {
        case .none: arguments.set(option.name, to: "")
        case .optional: arguments.set(option.name, to: attached ?? rest.popFirst())
        case .required:
            guard let value = attached ?? rest.popFirst() else {
                throw .usage(
                    "option \(option.spellings[0]) needs a value: \(option.synopsis)"
                )
            }
            arguments.set(option.name, to: value)
        }
    }
}
