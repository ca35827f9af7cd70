import Testing

@testable import KeychainCommand

@Suite struct `The table of commands` {
    @Test func `names every command once`() {
        #expect(Set(CommandTable.rows.map(\.name)).count == CommandTable.rows.count)
    }

    @Test(arguments: CommandTable.rows.map(\.name))
    func `spells every option of a command once`(name: String) throws {
        let command = try CommandTable.command(named: name)
        let options = command.options + OptionTable.common
        let spellings = options.flatMap(\.spellings)
        #expect(Set(spellings).count == spellings.count)
        #expect(Set(options.map(\.name)).count == options.count)
        #expect(command.requires.isSubset(of: options.map(\.name)))
        #expect(options.allSatisfy { !$0.meaning.isEmpty })
    }

    @Test(
        arguments: [
            "add-generic-password", "find-generic-password", "delete-generic-password",
            "add-internet-password", "find-internet-password", "delete-internet-password",
            "dump-keychain", "lock-keychain", "unlock-keychain", "import", "export",
            "find-certificate", "find-identity", "error", "status", "passcode", "backup", "restore",
            "access-groups", "doctor", "version",
        ]
    )
    func `has the commands of the contract and explains them`(name: String) throws {
        let terminal = TestTerminal()
        let status = TestKeychain.run(
            ["keychain", "help", name],
            on: try TestKeychain.endpoint(),
            terminal
        )
        #expect(status == 0)
        #expect(terminal.outputText.contains("usage: keychain \(name)"))
    }

    @Test(
        arguments: [
            ("lock", "lock-keychain"), ("find-g", "find-generic-password"), ("help", "help"),
            ("e", nil), ("p", "passcode"), ("", nil), ("Status", nil), ("version2", nil),
        ] as [(String, String?)]
    )
    func `is searched by whole names, then by clear beginnings`(word: String, name: String?) {
        let found = try? CommandTable.command(named: word)
        #expect(found?.name == name)
    }

    @Test(
        arguments: [
            ("lokc-keychain", "lock-keychain"), ("stauts", "status"),
            ("find-genric-password", "find-generic-password"), ("list-keychains", nil),
            ("xyzzy", nil),
        ] as [(String, String?)]
    )
    func `suggests what may have been meant`(word: String, name: String?) {
        #expect(throws: CommandFailure.unknownCommand(word, nearest: name)) {
            try CommandTable.command(named: word)
        }
    }

    @Test func `lists the available commands as Markdown`() {
        let lines = CommandTable.markdown.split(separator: "\n")
        #expect(lines.count == CommandTable.rows.count(where: \.isAvailable) + 2)
        #expect(lines.allSatisfy { $0.hasPrefix("|") && $0.hasSuffix("|") })
    }
}
