import KeychainModel

// Which way is taken, for KEYCHAIN_PROMPT=auto: the pinentry that KEYCHAIN_PINENTRY names, whatever
// there is around; a pinentry of PATH if there is a display or a terminal; else, and when it cannot
// ask, the terminal; else none, at once. Looked at anew for every prompt, and for nothing else: a
// call that asks nobody does not pay for it.
//
// Law: what is typed for a protected program stays in its own memory. A dialog runs with the
// account's rights alone, and other programs of the account can look into it. So a protected
// program asks at its terminal, and leaves dialogs to the agent of the session.

/// Asks whoever sits at this machine.
package struct MachinePrompter: Prompter {
    private let program: String
    private let settings: PromptSettings
    private let reader: FingerprintReader?
    private let terminal: String

    /// A prompter for a program, by the name that people know.
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

    /// Whether a dialog program can ask, with no need of the program's own terminal.
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
