import KeychainModel

// Laws  (1) A text begins with words of ours: the level of a program if it is known, then its name.
//       (2) What a program says is a quotation at the end, and cannot end the quotation.
//       (3) No name and no quotation is so long that a dialog cuts words of ours.

/// What a prompt says: who asks, why, and for what.
struct PromptText: Sendable, Equatable {
    /// The most characters of a program's own words that are shown, and their bytes.
    static let quotationLimit = 300
    private static let quotationByteLimit = 500
    /// The most characters of a button that a program names.
    static let buttonLimit = 40

    /// A sentence or two, without line breaks.
    let description: String
    /// A word or two in front of what is typed.
    let label: String

    /// The text of a prompt, with the program's own words as a quotation; nil for what no text can
    /// be typed for.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - program: The program's name: by evidence, or its own if it shows the prompt itself.
    ///   - standing: How well a daemon knows the program, as a word such as `verified`; nil if
    ///     the program shows the prompt itself, because nobody vouches for it then.
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

    /// A program's words between quotation marks, cut at their end; nothing for no words.
    static func quotation(_ text: String) -> String {
        // A quotation mark of the program's would end the quotation.
        let words = visible(text, limit: quotationLimit)
            .map { quotationMarks.contains($0) ? "'" : $0 }
        guard !words.isEmpty else { return "" }
        var quoted = String(words)
        // As a pinentry gets it: otherwise the end of the quotation could be cut.
        while AssuanEscape.escaping(quoted).utf8.count > quotationByteLimit {
            quoted.unicodeScalars.removeLast()
        }
        return "“\(quoted)”"
    }

    /// The title of a button that a program names.
    static func button(_ text: String) -> String { visible(text, limit: buttonLimit) }

    /// The beginning of a text, with what would steer a terminal or hide letters spelled out.
    static func visible(_ text: String, limit: Int) -> String {
        VisibleText.escaping(String(text.unicodeScalars.prefix(limit)))
    }
}
