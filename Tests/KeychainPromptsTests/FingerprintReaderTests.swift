import KeychainModel
import Secrets
import Testing

@testable import KeychainPrompts

@Suite struct `A fingerprint reader` {
    private func reader(_ script: String) throws -> (FingerprintReader, ScriptedProgram) {
        let program = try ScriptedProgram(script)
        return (FingerprintReader(path: program.path), program)
    }

    @Test(
        arguments: [
            (#"finger right-thumb\nfinger left-toe\nend\n"#, ["right-thumb", "left-toe"]),
            (#"end\n"#, []), (#"absent\n"#, nil), ("", nil), (#"finger right-thumb\n"#, nil),
            (#"finger Right\nend\n"#, nil), (#"finger \nend\n"#, nil),
            (#"finger a b\nend\n"#, nil), (#"match right-thumb\nend\n"#, nil), (#"\n"#, nil),
            (#"finger ../../etc\nend\n"#, nil), ("end", nil),
        ] as [(String, [String]?)]
    )
    func `tells the fingers that it knows, or is absent`(output: String, names: [String]?) throws {
        let (reader, program) = try reader("[ \"$1\" = list ] && printf '\(output)'")
        reader.look()
        let state = names.map { FingerprintReader.State.present($0.map { Array($0.utf8) }) }
        #expect(reader.state == state ?? .absent)
        withExtendedLifetime(program) {}
    }

    @Test func `is absent when its list has no end, or it is not there`() throws {
        let (endless, program) = try reader("while :; do echo finger a; done")
        endless.look()
        #expect(endless.state == .absent)
        withExtendedLifetime(program) {}
        let missing = FingerprintReader(path: "/nonexistent/program")
        missing.look()
        #expect(missing.state == .absent)
    }

    private static func foundReader(_ word: String?) throws -> FingerprintReader? {
        let settings = try PromptSettings { $0 == "KEYCHAIN_FINGERPRINT" ? word : nil }
        return try FingerprintReader.reader(settings, beside: "/nonexistent")
    }

    @Test(arguments: [nil, "0"] as [String?])
    func `is not asked for unless KEYCHAIN_FINGERPRINT says so`(word: String?) throws {
        let reader = try Self.foundReader(word)
        #expect(reader == nil)
    }

    @Test func `is asked for with KEYCHAIN_FINGERPRINT alone`() throws {
        let program = try ScriptedProgram("exit")
        let reader = try Self.foundReader(program.path)
        #expect(reader != nil)
        withExtendedLifetime(program) {}
        let settings = try PromptSettings { ["KEYCHAIN_FINGERPRINT": "1", "PATH": "/no"][$0] }
        #expect(throws: KeychainError(.param, "")) {
            try FingerprintReader.reader(settings, beside: "/nonexistent")
        }
    }
}

@Suite struct `Touching a fingerprint reader` {
    private let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    private static let cue = "Touch the reader (Ctrl-C: cancel). "

    private func ask(
        _ script: String,
        _ prompt: Prompt = Prompt(.biometry(.touchID)),
        _ typing: (after: String, text: String)...
    ) throws -> (answer: Answered, screen: String) {
        let program = try ScriptedProgram(script)
        let reader = FingerprintReader(path: program.path, terminal: terminal.path)
        return withExtendedLifetime(program) {
            terminal.session(typing) { reader.answer(prompt, for: "mailer", while: { true }) }
        }
    }

    @Test(
        arguments: [
            (#"touch\nretry retry-scan\nmatch right-thumb\n"#, .presented("right-thumb")),
            (#"touch\nno-match\n"#, .presented("")), (#"absent\n"#, .nothing), ("", .nothing),
            (#"match x/y\n"#, .nothing), (#"garbage\n"#, .nothing),
        ] as [(String, Answered)]
    )
    func `is answered with the finger, or with none`(output: String, answer: Answered) throws {
        let (found, screen) = try ask("[ \"$1\" = verify ] && printf '\(output)'")
        #expect(found == answer)
        #expect(screen.hasPrefix("mailer asks for your finger.\r\n" + Self.cue))
        #expect(terminal.isAsUsual)
    }

    @Test(arguments: ["\u{3}", "\n"])
    func `is canceled with Ctrl-C, and with Return where there is no other way`(
        key: String
    ) throws {
        let (answer, _) = try ask("read x", Prompt(.biometry(.touchID)), (Self.cue, key))
        #expect(answer == .canceled)
    }

    @Test func `can be left for another way`() throws {
        let prompt = Prompt(.biometry(.touchID), offersFallback: true)
        let cue = "Touch the reader (Ctrl-C: cancel; Return: passcode). "
        #expect(try ask("read x", prompt, (cue, "\n")).answer == .fallback)
        #expect(try ask("read x", prompt, (cue, "\u{3}")).answer == .canceled)
    }

    @Test func `shows a program's word for the other way without what steers a terminal`() throws {
        let title = "PIN\u{1B}[2J\n\u{9B}1m\u{202E}"
        let prompt = Prompt(.biometry(.touchID), offersFallback: true, fallbackTitle: title)
        let cue = #"Return: PIN\u{1b}[2J\u{a}\u{9b}1m\u{202e}). "#
        #expect(try ask("read x", prompt, (cue, "\n")).answer == .fallback)
    }

    @Test func `is asked of nobody without a terminal`() {
        let reader = FingerprintReader(path: "/bin/true", terminal: "/dev/null")
        let answer = reader.answer(Prompt(.biometry(.touchID)), for: "x", while: { true })
        #expect(Answered(answer) == .nothing)
    }
}
