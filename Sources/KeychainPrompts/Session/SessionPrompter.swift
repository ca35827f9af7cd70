import KeychainModel
import ProgramStart

// Law: nothing that the account's programs put in this process's environment, or in the account's
// files, decides what the dialog program is or which code it loads.

/// Shows prompts for other programs: what an agent of a session does.
package struct SessionPrompter: Sendable {
    /// The variables that a dialog needs to find the screen and the language.
    private static let kept = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "LANG", "LANGUAGE", "LC_ALL",
        "LC_CTYPE", "LC_MESSAGES", "TERM",
    ]
    private static let path = "/usr/bin:/bin"
    /// Toolkits load modules that files of the home directory name; here they find none.
    private static let nowhere = "/nonexistent"

    private static let graphical = [
        "pinentry-gnome3", "pinentry-qt", "pinentry-qt5", "pinentry-gtk-2", "pinentry-fltk",
        "pinentry-x11",
    ]
    private static let textual = ["pinentry-curses", "pinentry-tty"]

    /// The variables of the dialog program.
    package let environment: [String: String]
    private let terminal: String?
    private let chosen: String?

    /// A prompter for the session that the environment describes.
    ///
    /// - Parameters:
    ///   - variable: The value of a variable; nil if it is unset or empty.
    ///   - chosen: The dialog program to use, by path; nil for the first of the system's.
    ///   - terminal: The controlling terminal.
    package init(
        variable: (String) -> String?,
        chosen: String? = nil,
        terminal: String = ControllingTerminal.path
    ) {
        var environment = ["PATH": Self.path, "HOME": Self.nowhere]
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            environment[name] = Self.nowhere
        }
        for name in Self.kept { environment[name] = variable(name) }
        let named = variable("GPG_TTY").flatMap { $0.hasPrefix("/dev/") ? $0 : nil }
        self.terminal = ControllingTerminal.exists(terminal) ? terminal : named
        self.environment = environment
        self.chosen = chosen
    }

    /// The dialog program; nil if there is none, or nowhere to show a dialog.
    package var dialog: String? {
        let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        guard hasDisplay || terminal != nil || chosen != nil else { return nil }
        if let chosen { return ProgramSearch.path(of: chosen, in: "") }
        let graphical = hasDisplay ? Self.graphical : []
        let textual = terminal != nil ? Self.textual : []
        let names = graphical + ["pinentry"] + textual
        return names.lazy.compactMap { ProgramSearch.path(of: $0, in: Self.path) }.first
    }

    /// Shows a prompt and waits for what comes of it.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - program: The program that caused it, by evidence.
    ///   - standing: How well it is known, as a word.
    ///   - isWanted: Whether the answer is still wanted; else the dialog ends.
    /// - Returns: What the person did; `.impossible` without a dialog program.
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
