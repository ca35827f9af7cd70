import KeychainModel

// The way of asking for KEYCHAIN_PROMPT=auto: the pinentry that KEYCHAIN_PINENTRY names, in any
// case; a pinentry of PATH if there is a display or a terminal; else, and if it cannot ask, the
// terminal; else none, at once. It is chosen for every prompt, and only then: calls without
// prompts do not pay for it.
//
// Law: a protected program keeps typed secrets in its own memory. A dialog runs with only the
// account's rights, and other programs of the account can read its memory. So a protected program
// asks at its terminal, and leaves dialogs to the agent of the session.

/// A prompter for the person at this machine.
package struct MachinePrompter: Prompter {
    private let program: String
    private let settings: PromptSettings
    private let reader: FingerprintReader?
    private let terminal: String

    /// Creates a prompter for a program, by the name that people know.
    package init(
        program: String,
        settings: PromptSettings,
        reader: FingerprintReader? = nil,
        terminal: String = ControllingTerminal.path
    ) {
        self.program = program
        self.settings = settings
        self.reader = reader
        self.terminal = terminal
    }

    package func answer(_ prompt: Prompt) -> PromptAnswer { answer(prompt, while: { true }) }

    /// Whether a dialog program can ask, without the program's own terminal.
    package var hasDialog: Bool {
        switch settings.mode {
        case .auto, .pinentry:
            !settings.isProtected && (settings.namesPinentry || settings.hasDisplay)
                && settings.pinentry != nil
        case .none, .terminal: false
        }
    }

    package func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard settings.mode != .none else { return .impossible }
        if case .biometry = prompt.kind {
            return reader?.answer(prompt, for: program, while: isWanted) ?? .nothing
        }
        let mayShowDialog = settings.mode != .terminal && !settings.isProtected
        if mayShowDialog, let answer = pinentryAnswer(prompt, while: isWanted) { return answer }
        guard settings.mode != .pinentry else { return .impossible }
        return TerminalPrompter(program: program, path: terminal)
            .answer(prompt, while: isWanted)
    }

    private func pinentryAnswer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer? {
        let hasTerminal = ControllingTerminal.exists(terminal)
        guard settings.namesPinentry || hasTerminal || settings.hasDisplay,
            let pinentry = settings.pinentry
        else { return nil }
        let prompter = PinentryPrompter(
            pinentry: pinentry,
            program: program,
            settings: settings,
            terminal: hasTerminal ? terminal : nil
        )
        return prompter.answer(prompt, while: isWanted)
    }
}
