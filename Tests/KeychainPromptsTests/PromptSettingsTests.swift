import KeychainModel
import Testing

@testable import KeychainPrompts

@Suite struct `How people are asked` {
    private static func settings(_ variables: [String: String]) throws -> PromptSettings {
        try PromptSettings { variables[$0] }
    }

    @Test(
        arguments: [
            (nil, .auto), ("auto", .auto), ("none", .none), ("terminal", .terminal),
            ("pinentry", .pinentry),
        ] as [(String?, PromptSettings.Mode)]
    )
    func `is chosen with KEYCHAIN_PROMPT`(word: String?, mode: PromptSettings.Mode) throws {
        let variables = word.map { ["KEYCHAIN_PROMPT": $0] } ?? [:]
        #expect(try Self.settings(variables).mode == mode)
    }

    @Test(arguments: ["None", "tty", " none", "terminal,pinentry"])
    func `is an error for a word that means nothing`(word: String) throws {
        #expect(throws: KeychainError(.param, "")) {
            try Self.settings(["KEYCHAIN_PROMPT": word])
        }
    }

    @Test func `is with the program that KEYCHAIN_PINENTRY names, or pinentry of PATH`() throws {
        let program = try ScriptedProgram("exit")
        let named = try Self.settings(["KEYCHAIN_PINENTRY": program.path])
        #expect(named.pinentry == program.path)
        let folder = String(program.path.dropLast("/program".count))
        let found = try Self.settings(["KEYCHAIN_PINENTRY": "program", "PATH": "/no:\(folder)"])
        #expect(found.pinentry == program.path)
        let missing = try Self.settings(["KEYCHAIN_PINENTRY": "/no/pinentry", "PATH": folder])
        #expect(missing.pinentry == nil)
        #expect(try Self.settings(["PATH": folder]).pinentry == nil)
        #expect(try Self.settings(["KEYCHAIN_PINENTRY": folder]).pinentry == nil)
    }

    @Test func `is with a pinentry that was named, without a terminal or display`() throws {
        let program = try ScriptedProgram.pinentry(answering: #"D 1234\nOK\n"#)
        let folder = String(program.path.dropLast("/program".count))
        let answer = { (variables: [String: String]) in
            let prompter = MachinePrompter(
                program: "mailer",
                settings: try Self.settings(variables),
                terminal: "/nonexistent/tty"
            )
            return Answered(prompter.answer(Prompt(.passcode)))
        }
        #expect(try answer(["KEYCHAIN_PINENTRY": program.path]) == .typed("1234"))
        let named = ["KEYCHAIN_PINENTRY": "program", "PATH": folder]
        #expect(try answer(named) == .typed("1234"))
        #expect(try answer(["PATH": folder]) == .impossible)
        let nobody = ["KEYCHAIN_PINENTRY": program.path, "KEYCHAIN_PROMPT": "none"]
        #expect(try answer(nobody) == .impossible)
    }

    @Test(arguments: [Prompt.Kind.passcode, .newApplicationPassword, .biometry(.touchID)])
    func `is not at all where nobody is to be asked`(kind: Prompt.Kind) throws {
        let settings = try Self.settings(["KEYCHAIN_PROMPT": "none", "DISPLAY": ":0"])
        let prompter = MachinePrompter(program: "mailer", settings: settings)
        #expect(Answered(prompter.answer(Prompt(kind))) == .impossible)
    }
}
