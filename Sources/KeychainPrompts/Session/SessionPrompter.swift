import Glibc
import KeychainModel
import ProgramStart

// Laws  (1) Root chooses the dialog program, unless this process has no rights of its own.
//       (2) The dialog has no right that the account lacks: neither a group of this process nor its
//           connection. A display, a bus and settings of the account decide which code it loads.

/// A prompter for other programs, as the agent of a session uses it.
package struct SessionPrompter: Sendable {
    /// The variables of the dialog program.
    package let environment: [String: String]
    private let terminal: String?
    private let chosen: String?
    private let directory: String

    /// Creates a prompter for the session of the environment.
    ///
    /// - Parameters:
    ///   - variable: The value of a variable; nil if it is unset or empty.
    ///   - chosen: The dialog program to use, by path; nil for root's choice.
    ///   - terminal: The controlling terminal.
    ///   - directory: The directory of root's settings.
    package init(
        variable: (String) -> String?,
        chosen: String? = nil,
        terminal: String = ControllingTerminal.path,
        directory: String = RootSetting.directory
    ) {
        environment = DialogEnvironment.variables(of: variable)
        let named = variable("GPG_TTY").flatMap { $0.hasPrefix("/dev/") ? $0 : nil }
        self.terminal = ControllingTerminal.exists(terminal) ? terminal : named
        self.chosen = chosen
        self.directory = directory
    }

    /// The dialog program; nil if there is none, or no place to show a dialog.
    package var dialog: String? {
        let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        guard hasDisplay || terminal != nil || chosen != nil else { return nil }
        if let chosen { return ProgramSearch.path(of: chosen, in: "") }
        return try? RootDialog.path(in: directory)
    }

    /// The reason why root's choice of a dialog does not count, as a sentence; nil if it does.
    package var complaint: String? {
        guard chosen == nil else { return nil }
        do throws(RootFileProblem) {
            return try RootDialog.path(in: directory) == nil
                ? "there is no dialog program: install a pinentry" : nil
        } catch { return error.sentence }
    }

    /// Shows a prompt and waits for the answer.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - program: The program that caused it, by evidence.
    ///   - standing: Its level, as a word.
    ///   - isWanted: Whether the answer is still needed; else the dialog ends.
    /// - Returns: The answer of the person; `.impossible` without a dialog program.
    package func answer(
        _ prompt: Prompt,
        of program: String,
        standing: String,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard let text = PromptText(prompt, program: program, standing: standing),
            let dialog, let settings = try? PromptSettings(variable: { environment[$0] })
        else { return .impossible }
        var prompter = PinentryPrompter(
            pinentry: dialog,
            program: program,
            settings: settings,
            terminal: terminal
        )
        prompter.environment = environment
        return prompter.answer(prompt, saying: text, while: isWanted) ?? .impossible
    }
}
