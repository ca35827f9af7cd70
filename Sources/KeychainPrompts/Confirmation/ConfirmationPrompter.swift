import Glibc
import KeychainModel

/// A prompter for yes-or-no questions, by a pinentry, at the terminal, or in the way of ssh.
///
///     let prompter = try ConfirmationPrompter(program: "keychain-ssh-agent") { environment[$0] }
///     let agreed = prompter.asks(["Allow SSH to use the key ada?"])
package struct ConfirmationPrompter: Sendable {
    /// The largest number of characters in a line.
    private static let lineLimit = 300

    private let program: String
    private let settings: PromptSettings
    private let terminal: String
    private var askpass: AskpassPrompter?

    /// Creates a prompter for a program, by the name that people know.
    ///
    /// The variables are those of `PromptSettings`; with `asksLikeSSH` also those of ssh-add(1),
    /// unless `KEYCHAIN_PROMPT` selects another way.
    package init(
        program: String,
        asksLikeSSH: Bool = false,
        terminal: String = ControllingTerminal.path,
        variable: @escaping @Sendable (String) -> String?
    ) throws(KeychainError) {
        let settings = try PromptSettings(variable: variable)
        self.init(program: program, settings, terminal: terminal)
        if asksLikeSSH, settings.mode == .auto { askpass = AskpassPrompter(variable) }
    }

    init(program: String, _ settings: PromptSettings, terminal: String) {
        self.program = program
        self.settings = settings
        self.terminal = terminal
        askpass = nil
    }

    /// Shows a question and waits.
    ///
    /// - Parameters:
    ///   - lines: The question and its background, in this program's words.
    ///   - remark: Words of others for the last line, with a title of this program such as
    ///     `Comment`.
    ///   - isWanted: Whether the answer is still needed; else the question disappears.
    /// - Returns: Whether the person agreed; false also if the question cannot be shown or is not
    ///   answered.
    package func asks(
        _ lines: [String],
        quoting remark: (title: String, words: String)? = nil,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) -> Bool {
        var lines = lines.map { PromptText.visible($0, limit: Self.lineLimit) }
        if let remark, !remark.words.isEmpty {
            lines.append("\(remark.title): \(PromptText.quotation(remark.words))")
        }
        let deadline = PromptDeadline(while: isWanted)
        guard settings.mode != .none else { return false }
        if let answer = askpass?.confirm(lines.joined(separator: "\n"), deadline) { return answer }
        if settings.mode != .terminal, let answer = dialog(lines, deadline) { return answer }
        guard settings.mode != .pinentry else { return false }
        return askAtTerminal(lines, deadline)
    }

    /// Asks by a dialog; nil if none can be shown.
    private func dialog(_ lines: [String], _ deadline: PromptDeadline) -> Bool? {
        let hasTerminal = ControllingTerminal.exists(terminal)
        guard settings.namesPinentry || hasTerminal || settings.hasDisplay,
            let pinentry = settings.pinentry
        else { return nil }
        var prompter = PinentryPrompter(
            pinentry: pinentry,
            program: program,
            settings: settings,
            terminal: hasTerminal ? terminal : nil
        )
        if settings.isProtected {
            prompter.environment = DialogEnvironment.variables { settings[$0] }
        }
        return prompter.confirm(lines.joined(separator: "\n"), deadline)
    }

    private func askAtTerminal(_ lines: [String], _ deadline: PromptDeadline) -> Bool {
        guard let terminal = ControllingTerminal(terminal),
            terminal.write("\(program): " + lines.joined(separator: "\n") + "\n")
        else { return false }
        // The answer is not secret, but a key that ends a program must not end this one.
        guard let input = HiddenInput(terminal.descriptor, interruptKeys: .endLine),
            terminal.write("Type yes to allow it: ")
        else { return false }
        guard case .ready = input.waitForLine(while: { deadline.isOpen }) else {
            _ = terminal.write("\n")
            return false
        }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { terminal.read(into: $0) }
        return String(decoding: bytes.prefix(count), as: UTF8.self).lowercased() == "yes\n"
    }
}
