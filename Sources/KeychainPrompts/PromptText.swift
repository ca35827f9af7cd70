import KeychainModel

// Laws  (1) A text starts with this program's words: the level of a program if it is known,
//           then its name.
//       (2) The words of a program are a quotation at the end, and cannot end the quotation.
//       (3) No name and no quotation is so long that a dialog cuts this program's words.

/// The text of a prompt: the calling program, the reason, and the requested secret.
struct PromptText: Sendable, Equatable {
    /// The largest number of shown characters of a program's own words, and of their bytes.
    static let quotationLimit = 300
    private static let quotationByteLimit = 500
    /// The largest number of characters of a button that a program names.
    static let buttonLimit = 40

    /// A sentence or two, without line breaks.
    let description: String
    /// A word or two before the input.
    let label: String

    /// Creates the text of a prompt, with the program's own words as a quotation; nil for a prompt
    /// without text.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - program: The program's name: by evidence, or its own if it shows the prompt itself.
    ///   - standing: The daemon's level for the program, as a word such as `verified`; nil if the
    ///     program shows the prompt itself, without a daemon's confirmation.
    init?(_ prompt: Prompt, program: String, standing: String? = nil) {
        let subject: String
        switch prompt.kind {
        case .passcode: (label, subject) = ("Passcode", "the keychain's passcode")
        case .applicationPassword: (label, subject) = ("Password", "the password of an item")
        case .newApplicationPassword:
            (label, subject) = ("New password", "a password for a new item")
        case .biometry: (label, subject) = ("Finger", "your finger")
        case .companion: return nil
        }
        let level = standing.map { "[\($0)] " } ?? ""
        let start = "\(level)\(ProgramName.shown(program)) asks for \(subject)."
        let words = Self.quotation(prompt.reason ?? "")
        description = words.isEmpty ? start : "\(start) The program says: \(words)"
    }

    private static let quotationMarks: Set<Character> = [
        "\"", "“", "”", "„", "‟", "«", "»", "‹", "›", "〝", "〞", "〟", "＂", "「", "」", "『", "』",
    ]

    /// Returns a program's words between quotation marks, cut at their end; empty for no words.
    static func quotation(_ text: String) -> String {
        // A quotation mark of the program would end the quotation.
        let words = visible(text, limit: quotationLimit)
            .map { quotationMarks.contains($0) ? "'" : $0 }
        guard !words.isEmpty else { return "" }
        var quoted = String(words)
        // The length is that of the pinentry's form, so that the end of the quotation is not cut.
        while AssuanEscape.escaping(quoted).utf8.count > quotationByteLimit {
            quoted.unicodeScalars.removeLast()
        }
        return "“\(quoted)”"
    }

    /// Returns the title of a button that a program names.
    static func button(_ text: String) -> String { visible(text, limit: buttonLimit) }

    /// Returns the start of a text, with escaped characters that control a terminal or hide
    /// letters.
    static func visible(_ text: String, limit: Int) -> String {
        VisibleText.escaping(String(text.unicodeScalars.prefix(limit)))
    }
}
