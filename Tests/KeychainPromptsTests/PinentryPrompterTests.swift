import Glibc
import KeychainModel
import Synchronization
import Testing

@testable import KeychainPrompts

@Suite struct `Asking with a pinentry` {
    private func ask(
        _ program: ScriptedProgram,
        _ prompt: Prompt = Prompt(.passcode, reason: "100 % sure\nGETPIN"),
        patience: Duration = PromptDeadline.patience,
        while isWanted: @escaping @Sendable () -> Bool = { true }
    ) throws -> Answered? {
        let variables = ["TERM": "xterm", "LANG": "C.UTF-8", "DISPLAY": ":7"]
        let settings = try PromptSettings { variables[$0] }
        let prompter = PinentryPrompter(
            pinentry: program.path,
            program: "mailer",
            settings: settings,
            terminal: "/dev/tty",
            patience: patience
        )
        return prompter.answer(prompt, while: isWanted).map(Answered.init)
    }

    @Test func `tells it where to ask, who asks and why, line by line`() throws {
        let program = try ScriptedProgram.pinentry(answering: #"D 12%%2534\nOK\n"#)
        #expect(try ask(program) == .typed("12%34"))
        #expect(
            program.log.split(separator: "\n") == [
                "OPTION ttyname=/dev/tty", "OPTION ttytype=xterm", "OPTION lc-ctype=C.UTF-8",
                "OPTION display=:7", "SETTITLE Keychain",
                "SETDESC mailer asks for the keychain's passcode."
                    + " The program says: “100 %25%0A  sure\\u{a}GETPIN”",
                "SETPROMPT Passcode:", "SETTIMEOUT 300", "GETPIN",
            ]
        )
    }

    @Test(
        arguments: [
            (#"D one\nD  two\nOK\n"#, .typed("one two")), (#"OK\n"#, .nothing),
            (#"# x\nS y\nD z\nOK\n"#, .typed("z")),
            (#"ERR 83886179 canceled\n"#, .canceled), (#"ERR 83886142 late\n"#, .nothing),
            (#"ERR 83918950 no tty\n"#, nil), (#"D %%2\nOK\n"#, nil), (#"garbage\n"#, nil),
            (#"D half a line"#, nil),
        ] as [(String, Answered?)]
    )
    func `takes its answer, or none`(reply: String, answer: Answered?) throws {
        // The program ends after its reply, so that half a line stays half a line.
        let script = """
            echo OK; while read -r line; do
            case $line in GETPIN) printf '\(reply)'; exit;; *) echo OK;; esac; done
            """
        #expect(try ask(ScriptedProgram(script)) == answer)
    }

    @Test(arguments: [
        "exit 1", "echo", "printf 'OK'", "head -c 5000 /dev/zero", "yes OK | head -c 300000",
        "yes '# talk' | head -c 30000", "head -c 3000 /dev/urandom",
        "while :; do printf 'D aaaaaaaaaaaaaaaaaaaaaaaaaa'; done",
    ])
    func `is no answer when the program does not keep to the protocol`(script: String) throws {
        let answer = try ask(ScriptedProgram(script))
        #expect(answer == nil || answer == .nothing)
    }

    @Test(.timeLimit(.minutes(10)), arguments: ["D", "D ", "D x"])
    func `refuses an answer of endless lines long before its patience ends`(
        line: String
    ) throws {
        let script = """
            echo OK; while read -r line; do
            case $line in GETPIN) yes '\(line)'; exit;; *) echo OK;; esac; done
            """
        #expect(try ask(ScriptedProgram(script)) == nil)
    }

    @Test func `refuses an answer without end`() throws {
        let line = "D " + String(repeating: "x", count: 900) + #"\n"#
        let program = try ScriptedProgram.pinentry(
            answering: String(repeating: line, count: 6) + #"OK\n"#
        )
        #expect(try ask(program) == nil)
    }

    @Test func `has a new password typed twice alike`() throws {
        let program = try ScriptedProgram.pinentry(
            answering: #"D one\nOK\n"#,
            #"D two\nOK\n"#,
            #"D same\nOK\n"#
        )
        #expect(try ask(program, Prompt(.newApplicationPassword)) == .typed("same"))
        #expect(program.log.contains("SETPROMPT New password, again:\n"))
        #expect(program.log.contains("SETERROR The two entries differ.\n"))
    }

    @Test(arguments: ["while :; do :; done", "trap '' TERM; cat >/dev/null; while :; do :; done"])
    func `ends a program that hangs`(script: String) throws {
        let program = try ScriptedProgram("echo $$ > \"$log\"; echo OK; " + script)
        #expect(try ask(program, patience: .milliseconds(200)) == .nothing)
        let processID = try #require(program.log.split(separator: "\n").first.flatMap { Int32($0) })
        #expect(kill(processID, 0) != 0)
    }

    @Test func `ends the program when nobody wants the answer`() throws {
        let program = try ScriptedProgram("echo $$ > \"$log\"; echo OK; while :; do :; done")
        let looks = Count()
        #expect(try ask(program, while: { looks.next() < 5 }) == .nothing)
    }

    @Test func `is no answer without the program`() throws {
        let settings = try PromptSettings { _ in nil }
        let prompter = PinentryPrompter(
            pinentry: "/nonexistent/pinentry",
            program: "mailer",
            settings: settings,
            terminal: nil
        )
        #expect(prompter.answer(Prompt(.passcode), while: { true }).map(Answered.init) == nil)
    }
}

/// Counts how often something was looked at.
private final class Count: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
