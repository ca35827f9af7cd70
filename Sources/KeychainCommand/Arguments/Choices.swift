/// What a shell can offer where an option or a command takes a value.
enum Choices: Sendable, Equatable {
    /// Nothing: only the user knows the value.
    case unknown
    /// One of these words.
    case words([String])
    /// One of these words, or several with commas between them.
    case list([String])
    /// The path of a file or a directory.
    case path
    /// The name of a command of this program.
    case command
    /// The words, then paths.
    case wordsThenPaths([String])
    /// A value that only the user knows, then another program's command line.
    case commandLine

    /// The words, if there are any.
    var words: [String] {
        switch self {
        case .words(let words), .list(let words), .wordsThenPaths(let words): words
        case .unknown, .path, .command, .commandLine: []
        }
    }
}

extension Choices {
    /// Placeholders that stand for a path.
    private static let paths: Set<String> = ["file", "directory", "program", "keychain"]

    /// What a placeholder itself says, such as `yes|no` or `file`.
    init(placeholder: String) {
        let verbs = placeholder.prefix { $0 != "[" }.split(separator: "|").compactMap { part in
            part.split(separator: " ").first.map(String.init)
        }
        if verbs.count > 1 {
            self = placeholder.contains(" ") ? .wordsThenPaths(verbs) : .words(verbs)
        } else if placeholder == "command" {
            self = .command
        } else {
            self = Self.paths.contains(placeholder) ? .path : .unknown
        }
    }
}

extension Operands {
    /// What may follow the options of a command.
    var choices: Choices {
        switch self {
        case .none: .unknown
        case .keychain: .path
        case .choice(let words): .words(words)
        case .one(let placeholder), .several(let placeholder), .optional(let placeholder),
            .any(let placeholder):
            Choices(placeholder: placeholder)
        case .commandLine: .commandLine
        }
    }
}
