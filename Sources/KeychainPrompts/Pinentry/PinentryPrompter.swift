import KeychainModel
import Secrets

// Law: typed bytes move from the program's socket to memory that is wiped, and nowhere else.

/// A prompter that uses a pinentry: a separate program that shows a dialog, or takes over the
/// terminal.
///
/// - Source: the pinentry manual, "Protocol".
struct PinentryPrompter: Sendable {
    /// The number of attempts for a new password that must be typed twice.
    private static let attemptLimit = 3

    /// The largest answer in bytes.
    private static let answerByteCountLimit = 4095

    /// The program's path.
    let pinentry: String
    /// The program that asks, by the name that people know.
    let program: String
    let settings: PromptSettings
    /// The terminal to use; nil if there is none.
    let terminal: String?
    var patience = PromptDeadline.patience
    /// The environment of the program; nil for that of this process.
    var environment: [String: String]?

    /// Asks with the usual text of the prompt.
    ///
    /// - Returns: nil if the program cannot ask here.
    func answer(
        _ prompt: Prompt,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer? {
        guard let text = PromptText(prompt, program: program) else { return nil }
        if case .biometry = prompt.kind { return nil }
        return answer(prompt, saying: text, while: isWanted)
    }

    /// Asks with the caller's text.
    ///
    /// For a finger the dialog shows that the reader waits, with a button for another way if the
    /// prompt offers one; the answer is that button, or Cancel.
    func answer(
        _ prompt: Prompt,
        saying text: PromptText,
        while isWanted: @escaping @Sendable () -> Bool
    ) -> PromptAnswer? {
        let deadline = PromptDeadline(after: patience, while: isWanted)
        if case .biometry = prompt.kind { return message(prompt, text, deadline) }
        return prompt.kind == .newApplicationPassword
            ? askTwice(text, deadline)
            : ask(text, text.label, deadline)
    }

    private func askTwice(_ text: PromptText, _ deadline: PromptDeadline) -> PromptAnswer? {
        var complaint: String?
        for _ in 0..<Self.attemptLimit {
            let first = ask(text, text.label, complaint: complaint, deadline)
            guard case .typed(let new)? = first else { return first }
            let second = ask(text, text.label + ", again", deadline)
            guard case .typed(let same)? = second else { return second }
            if new.secret.constantTimeEquals(same.secret) { return first }
            complaint = "The two entries differ."
        }
        return .nothing
    }

    private func message(
        _ prompt: Prompt,
        _ text: PromptText,
        _ deadline: PromptDeadline
    ) -> PromptAnswer? {
        let title = PromptText.button(prompt.fallbackTitle ?? "Passcode")
        let button = prompt.offersFallback ? title : "Cancel"
        let dialog = PinentryDialog(
            settings: commands(text, text.label, nil) + ["SETOK \(Self.argument(button))"],
            question: prompt.offersFallback ? "CONFIRM" : "CONFIRM --one-button"
        )
        return converse(dialog, deadline, unwanted: .nothing) { outcome, _ in
            switch outcome {
            case .entered: prompt.offersFallback ? .fallback : .canceled
            case .canceled: .canceled
            case .timedOut: .nothing
            case .failed: nil
            }
        }
    }

    /// Asks a question with two buttons.
    ///
    /// - Returns: Whether the first one was chosen; nil if the program cannot ask here.
    func confirm(_ question: String, _ deadline: PromptDeadline) -> Bool? {
        let settings =
            options + [
                "SETTITLE Keychain", "SETDESC \(Self.argument(DialogLines.broken(question)))",
                "SETOK Allow", "SETCANCEL Cancel", Self.timeout,
            ]
        let dialog = PinentryDialog(settings: settings, question: "CONFIRM")
        return converse(dialog, deadline, unwanted: .timedOut) { outcome, _ in outcome }.flatMap {
            outcome in
            switch outcome {
            case .entered: true
            case .canceled, .timedOut: false
            case .failed: nil
            }
        }
    }

    private func ask(
        _ text: PromptText,
        _ label: String,
        complaint: String? = nil,
        _ deadline: PromptDeadline
    ) -> PromptAnswer? {
        let dialog = PinentryDialog(settings: commands(text, label, complaint))
        return converse(dialog, deadline, unwanted: .nothing, Self.answer)
    }

    private func converse<Result>(
        _ dialog: PinentryDialog,
        _ deadline: PromptDeadline,
        unwanted: Result,
        _ result: (PinentryDialog.Outcome, SharedSecret) -> Result?
    ) -> Result? {
        guard let child = ChildProgram(pinentry, environment: environment) else { return nil }
        var dialog = dialog
        var answer = SharedSecret(Secret(byteCount: 0) { _ in })
        while true {
            let line: SharedSecret
            switch child.line(atMost: AssuanReply.lineByteCountLimit, until: deadline) {
            case .text(let text): line = text
            case .unwanted: return unwanted
            case .ended, .tooLong: return nil
            }
            switch dialog.handle(line.secret.withUnsafeBytes { AssuanReply($0) }) {
            case .wait: break
            case .send(let command):
                guard child.send(command) else { return nil }
            case .collect:
                guard let longer = Self.joining(answer, line) else { return nil }
                answer = longer
            case .end(let outcome): return result(outcome, answer)
            }
        }
    }

    private func commands(_ text: PromptText, _ label: String, _ complaint: String?) -> [String] {
        let texts: [(command: String, text: String?)] = [
            ("SETTITLE", "Keychain"), ("SETDESC", DialogLines.broken(text.description)),
            ("SETPROMPT", label + ":"), ("SETERROR", complaint),
        ]
        let settings = texts.compactMap { command, text in
            text.map { "\(command) \(Self.argument($0))" }
        }
        return options + settings + [Self.timeout]
    }

    private static let timeout = "SETTIMEOUT \(PromptDeadline.patience.components.seconds)"

    private var options: [String] {
        let options: [(name: String, value: String?)] = [
            ("ttyname", terminal), ("ttytype", terminal == nil ? nil : settings["TERM"]),
            ("lc-ctype", settings["LC_ALL"] ?? settings["LC_CTYPE"] ?? settings["LANG"]),
            ("display", settings["DISPLAY"]),
        ]
        return options.compactMap { name, value in
            value.map { "OPTION \(name)=\(Self.argument($0))" }
        }
    }

    /// The largest argument in bytes: a line of 1000 bytes also has a command and a newline.
    static let argumentByteCountLimit = 980

    /// Returns as much of a text as fits a line together with its command.
    private static func argument(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while true {
            let argument = AssuanEscape.escaping(String(scalars))
            if argument.utf8.count <= argumentByteCountLimit { return argument }
            scalars = scalars.dropLast(20)
        }
    }

    private static func joining(_ answer: SharedSecret, _ line: SharedSecret) -> SharedSecret? {
        guard
            let part = line.secret.withUnsafeBytes({ AssuanEscape.bytes(ofDataLine: $0) }),
            answer.secret.byteCount + part.byteCount <= answerByteCountLimit
        else { return nil }
        return SharedSecret(Secret(concatenating: answer.secret, part))
    }

    private static func answer(
        _ outcome: PinentryDialog.Outcome,
        _ answer: SharedSecret
    ) -> PromptAnswer? {
        switch outcome {
        case .entered: answer.secret.byteCount == 0 ? .nothing : .typed(answer)
        case .canceled: .canceled
        case .timedOut: .nothing
        case .failed: nil
        }
    }
}
