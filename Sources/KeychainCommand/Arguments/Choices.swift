/// The completions that a shell can offer for the value of an option or for an operand.
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
    /// One of the words, followed by paths.
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

    /// Derives the choices from a placeholder, such as `yes|no` or `file`.
    init(placeholder: String) {
        // The first words between bars, as in `list|grant [group]` and `class class|status`.
        let end = placeholder.firstRange(of: " [")?.lowerBound ?? placeholder.endIndex
        let alternatives = placeholder[..<end].split(separator: "|")
        let words = alternatives.compactMap { $0.split(separator: " ").first.map(String.init) }
        let hasMore = end < placeholder.endIndex || alternatives.contains { $0.contains(" ") }
        if words.count > 1 {
            self = hasMore ? .wordsThenPaths(words) : .words(words)
        } else if placeholder == "command" {
            self = .command
        } else {
            self = Self.paths.contains(placeholder) ? .path : .unknown
        }
    }
}

extension Operands {
    /// The choices for a command's operands.
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
