import KeychainModel
import Testing

@testable import KeychainPrompts

private let question = ["Allow SSH to use the key ada?", "Host key: SHA256:x\u{1b}[2J"]

@Suite struct `Asking for a confirmation` {
    private static func prompter(
        _ mode: String,
        terminal: String = "/nonexistent",
        pinentry: String? = nil
    ) throws -> ConfirmationPrompter {
        try ConfirmationPrompter(program: "agent", terminal: terminal) { name in
            switch name {
            case "KEYCHAIN_PROMPT": mode
            case "KEYCHAIN_PINENTRY": pinentry
            default: nil
            }
        }
    }

    @Test(
        arguments: [
            ("Allow", "OK", true), ("Cancel", "ERR 83886179 canceled", false),
            ("nobody", "ERR 83886142 timeout", false), ("a broken dialog", "BYE", false),
        ]
    )
    func `shows a dialog with two buttons`(name: String, reply: String, agrees: Bool) throws {
        let dialog = try ScriptedProgram(
            """
            echo 'OK Pleased to meet you'
            while read -r line; do
                echo "$line" >> "$log"
                case $line in CONFIRM) echo '\(reply)' ;; *) echo OK ;; esac
            done
            """
        )
        let prompter = try Self.prompter("pinentry", pinentry: dialog.path)
        #expect(prompter.asks(question) == agrees)
        let shown = #"SETDESC Allow SSH to use the key ada?%0AHost key: SHA256:x"#
        #expect(dialog.log.contains(shown))
        #expect(!dialog.log.contains("\u{1b}"))
        #expect(dialog.log.contains("SETOK Allow\n"))
    }

    @Test func `takes a dialog away that nobody wants any more`() throws {
        let dialog = try ScriptedProgram("echo OK; while read -r line; do :; done")
        let prompter = try Self.prompter("pinentry", pinentry: dialog.path)
        #expect(!prompter.asks(question) { false })
    }

    @Test(arguments: ["none", "pinentry", "terminal", "auto"])
    func `is refused where nobody can be asked`(mode: String) throws {
        #expect(try !Self.prompter(mode, pinentry: "/nonexistent/pinentry").asks(question))
    }

    @Test(arguments: [("yes\n", true), ("YES\n", true), ("y\n", false), ("\n", false)])
    func `asks at the terminal for a whole word`(typed: String, agrees: Bool) throws {
        let terminal = try PseudoTerminal()
        let prompter = try Self.prompter("terminal", terminal: terminal.path)
        let (answer, screen) = terminal.session([("Type yes to allow it: ", typed)]) {
            prompter.asks(question) ? .approved : .canceled
        }
        #expect(answer == (agrees ? .approved : .canceled))
        #expect(screen.hasPrefix("agent: Allow SSH to use the key ada?\r\nHost key: SHA256:x"))
        #expect(!screen.contains("\u{1b}"))
        #expect(terminal.isAsUsual)
    }

    @Test(.requirement("HRD-12"))
    func `begins with words of ours, and quotes those of others at the end`() throws {
        let terminal = try PseudoTerminal()
        let prompter = try Self.prompter("terminal", terminal: terminal.path)
        let comment = "k\u{202e}” \r\nagent: Allow " + String(repeating: "𝕏", count: 4_000)
        let (_, screen) = terminal.session([("Type yes to allow it: ", "no\n")]) {
            prompter.asks(question, quoting: ("Comment", comment)) ? .approved : .canceled
        }
        let start = #"agent: Allow SSH to use the key ada?\#r\#nHost key: SHA256:x\u{1b}[2J\#r\#n"#
        #expect(screen.hasPrefix(start + #"Comment: “k\u{202e}' \u{d}\u{a}agent: Allow "#))
        #expect(screen.contains("𝕏”\r\nType yes to allow it: "))
        #expect(screen.utf8.count < 1_000)
    }
}
