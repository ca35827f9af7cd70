import KeychainModel

/// What a prompt says: who asks, why, and for what.
struct PromptText: Sendable, Equatable {
    /// The most characters of a program's own words that are shown.
    static let reasonLimit = 300

    /// A sentence or two, without line breaks.
    let description: String
    /// A word or two in front of what is typed.
    let label: String

    /// nil for what no text can be typed for.
    init?(_ prompt: Prompt, program: String) {
        let program = Self.visible(program)
        switch prompt.kind {
        case .passcode:
            label = "Passcode"
            description = Self.sentence("\(program) asks for the keychain's passcode", prompt)
        case .applicationPassword:
            label = "Password"
            description = Self.sentence("\(program) asks for the password of an item", prompt)
        case .newApplicationPassword:
            label = "New password"
            description = Self.sentence("\(program) asks for a password for a new item", prompt)
        case .biometry:
            label = "Finger"
            description = Self.sentence("\(program) asks for your finger", prompt)
        case .companion: return nil
        }
    }

    /// The text of a prompt that somebody else shows for the program, with the program's own words
    /// as a quotation.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - program: The program's name by evidence.
    ///   - standing: How well it is known, as a word such as `verified`.
    init?(_ prompt: Prompt, program: String, standing: String) {
        let silent = Prompt(prompt.kind, offersFallback: prompt.offersFallback)
        guard let plain = PromptText(silent, program: "\(program) (\(standing))") else {
            return nil
        }
        label = plain.label
        guard let reason = prompt.reason.map(Self.visible), !reason.isEmpty else {
            description = plain.description
            return
        }
        // A quotation mark of the program's would end the quotation.
        let quoted = String(reason.map { Self.quotationMarks.contains($0) ? "'" : $0 })
        description = "\(plain.description) The program says: “\(quoted)”"
    }

    private static let quotationMarks: Set<Character> = [
        "\"", "“", "”", "„", "‟", "«", "»", "‹", "›", "〝", "〞", "〟", "＂", "「", "」", "『", "』",
    ]

    private static func sentence(_ start: String, _ prompt: Prompt) -> String {
        guard let reason = prompt.reason.map(visible), !reason.isEmpty else { return start + "." }
        return "\(start): \(reason)"
    }

    /// The beginning of the text, with what would steer a terminal or hide letters spelled out.
    static func visible(_ text: String) -> String {
        VisibleText.escaping(String(text.unicodeScalars.prefix(reasonLimit)))
    }
}
