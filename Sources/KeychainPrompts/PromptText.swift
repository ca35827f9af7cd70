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

    private static func sentence(_ start: String, _ prompt: Prompt) -> String {
        guard let reason = prompt.reason.map(visible), !reason.isEmpty else { return start + "." }
        return "\(start): \(reason)"
    }

    /// The beginning of the text, with what would steer a terminal or hide letters spelled out.
    private static func visible(_ text: String) -> String {
        VisibleText.escaping(String(text.unicodeScalars.prefix(reasonLimit)))
    }
}
