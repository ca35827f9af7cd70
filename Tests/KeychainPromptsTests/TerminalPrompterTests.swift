import KeychainModel
import Testing

@testable import KeychainPrompts

@Suite struct `Asking at the terminal` {
    private let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    private func ask(
        _ kind: Prompt.Kind,
        reason: String? = nil,
        _ typing: (after: String, text: String)...
    ) -> (answer: Answered, screen: String) {
        let prompter = TerminalPrompter(program: "mailer", path: terminal.path)
        return terminal.session(typing) { prompter.answer(Prompt(kind, reason: reason)) }
    }

    @Test func `says who asks and why, and shows nothing of what is typed`() {
        let (answer, screen) = ask(.passcode, reason: "open mail", ("Passcode: ", "1234\n"))
        #expect(answer == .typed("1234"))
        let text = "mailer asks for the keychain's passcode. The program says: “open mail”"
        #expect(screen == "\(text)\r\nPasscode: \r\n")
        #expect(terminal.isAsUsual)
    }

    @Test func `asks for the password of an item once`() {
        let (answer, screen) = ask(.applicationPassword, ("Password: ", "a b\t\u{1b}c\n"))
        #expect(answer == .typed("a b\t\u{1b}c"))
        #expect(screen.hasPrefix("mailer asks for the password of an item.\r\n"))
    }

    @Test func `asks for a new password until it is typed twice alike`() {
        let (answer, screen) = ask(
            .newApplicationPassword,
            ("New password: ", "one\n"),
            ("New password, again: ", "two\n"),
            ("New password: ", "same\n"),
            ("New password, again: ", "same\n")
        )
        #expect(answer == .typed("same"))
        #expect(screen.contains("The two entries differ."))
    }

    @Test func `gives up on a new password after three pairs`() {
        let pair = [("New password: ", "one\n"), ("New password, again: ", "two\n")]
        let prompter = TerminalPrompter(program: "mailer", path: terminal.path)
        let typing = (pair + pair + pair).map { (after: $0.0, text: $0.1) }
        let (answer, _) = terminal.session(typing) {
            prompter.answer(Prompt(.newApplicationPassword))
        }
        #expect(answer == .nothing)
    }

    @Test(arguments: [
        (keys: "\u{3}", what: "Ctrl-C"), ("12\u{3}", "Ctrl-C in the line"), ("\u{4}", "Ctrl-D"),
        ("12\u{4}", "Ctrl-D in the line"), ("\u{1c}", "Ctrl-backslash"),
    ])
    func `takes the keys that end programs as Cancel`(keys: String, what: String) {
        #expect(ask(.passcode, ("Passcode: ", keys)).answer == .canceled)
        #expect(terminal.isAsUsual)
    }

    @Test func `lets a line be edited`() {
        #expect(ask(.passcode, ("Passcode: ", "99\u{15}124\u{7f}34\n")).answer == .typed("1234"))
    }

    @Test func `takes an empty line for no answer`() {
        #expect(ask(.passcode, ("Passcode: ", "\n")).answer == .nothing)
    }

    @Test func `ends when nobody wants the answer, or nobody gives one`() {
        let prompter = TerminalPrompter(program: "mailer", path: terminal.path)
        let (unwanted, _) = terminal.session([]) {
            prompter.answer(Prompt(.passcode), while: { false })
        }
        #expect(unwanted == .nothing)
        let hasty = TerminalPrompter(program: "mailer", path: terminal.path, patience: .zero)
        #expect(terminal.session([]) { hasty.answer(Prompt(.passcode)) }.answer == .nothing)
        #expect(terminal.isAsUsual)
    }

    @Test(arguments: ["/dev/null", "/nonexistent/tty"])
    func `is impossible without a terminal`(path: String) {
        let prompter = TerminalPrompter(program: "mailer", path: path)
        #expect(Answered(prompter.answer(Prompt(.passcode))) == .impossible)
    }

    @Test(arguments: [Prompt.Kind.biometry(.touchID), .companion])
    func `is impossible for what nobody can type`(kind: Prompt.Kind) {
        let prompter = TerminalPrompter(program: "mailer", path: terminal.path)
        #expect(Answered(prompter.answer(Prompt(kind))) == .impossible)
    }

    @Test func `shows a program's words without what steers a terminal`() {
        let (_, screen) = ask(
            .passcode,
            reason: "a\u{1b}[2J\nb\u{202e}c",
            ("Passcode: ", "1\n")
        )
        let words = #"a\u{1b}[2J\u{a}b\u{202e}c"#
        let text = "mailer asks for the keychain's passcode. The program says: “\(words)”"
        #expect(screen.hasPrefix("\(text)\r\n"))
    }
}
