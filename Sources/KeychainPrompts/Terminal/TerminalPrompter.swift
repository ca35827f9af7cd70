import Glibc
import KeychainModel
import Secrets

// Law: the prompt uses the terminal itself, never the standard streams, which may be other
// programs' files and pipes; its settings are always restored.

/// A prompter at the terminal of the program, which does not show typed characters.
///
/// An end of input, Ctrl-C and Ctrl-\ are Cancel.
package struct TerminalPrompter: Prompter {
    /// The largest line in bytes, which is a terminal's limit.
    private static let lineByteCountLimit = 4096

    /// The number of attempts for a new password that must be typed twice.
    private static let attemptLimit = 3

    private let program: String
    private let path: String
    private let patience: Duration

    /// Creates a prompter for a program, by the name that people know.
    package init(
        program: String,
        path: String = ControllingTerminal.path,
        patience: Duration = PromptDeadline.patience
    ) {
        self.program = program
        self.path = path
        self.patience = patience
    }

    package func answer(_ prompt: Prompt) -> PromptAnswer { answer(prompt, while: { true }) }

    package func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer {
        guard let text = PromptText(prompt, program: program) else { return .impossible }
        if case .biometry = prompt.kind { return .impossible }
        guard let terminal = ControllingTerminal(path),
            terminal.write(text.description + "\n")
        else { return .impossible }
        let deadline = PromptDeadline(after: patience, while: isWanted)
        return prompt.kind == .newApplicationPassword
            ? askTwice(text.label, terminal, deadline)
            : ask(text.label, terminal, deadline)
    }

    private func askTwice(
        _ label: String,
        _ terminal: borrowing ControllingTerminal,
        _ deadline: PromptDeadline
    ) -> PromptAnswer {
        for _ in 0..<Self.attemptLimit {
            let first = ask(label, terminal, deadline)
            guard case .typed(let new) = first else { return first }
            let second = ask(label + ", again", terminal, deadline)
            guard case .typed(let same) = second else { return second }
            if new.secret.constantTimeEquals(same.secret) { return first }
            guard terminal.write("The two entries differ.\n") else { return .impossible }
        }
        return .nothing
    }

    private func ask(
        _ label: String,
        _ terminal: borrowing ControllingTerminal,
        _ deadline: PromptDeadline
    ) -> PromptAnswer {
        guard let input = HiddenInput(terminal.descriptor, interruptKeys: .endLine),
            terminal.write(label + ": ")
        else { return .impossible }
        switch input.waitForLine(while: { deadline.isOpen }) {
        case .signal: return .interrupted
        case .unwanted:
            _ = terminal.write("\n")
            return .nothing
        case .ready: break
        }
        var count = 0
        let line = Secret(byteCount: Self.lineByteCountLimit) { target in
            count = terminal.read(into: target)
        }
        let answer = Self.answer(in: line, count: count)
        if case .canceled = answer { _ = terminal.write("\n") }
        return answer
    }

    /// Returns a line without its end; anything except a whole line is Cancel.
    private static func answer(
        in line: borrowing Secret,
        count: Int
    ) -> PromptAnswer {
        line.withUnsafeBytes { bytes in
            let typed = bytes.prefix(count)
            guard typed.last == UInt8(ascii: "\n") else { return .canceled }
            let text = Secret(copying: UnsafeRawBufferPointer(rebasing: typed.dropLast()))
            return text.byteCount == 0 ? .nothing : .typed(SharedSecret(text))
        }
    }
}
