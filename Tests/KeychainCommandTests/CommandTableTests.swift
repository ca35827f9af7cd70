import Foundation
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
            ["keychainctl", "help", name],
            on: try TestKeychain.endpoint(),
            terminal
        )
        #expect(status == 0)
        #expect(terminal.outputText.contains("usage: keychainctl \(name)"))
    }

    @Test(
        arguments: [
            ("lock", "lock-keychain"), ("find-g", "find-generic-password"), ("help", "help"),
            ("e", nil), ("p", nil), ("pa", "passcode"), ("", nil), ("Status", nil),
            ("version2", nil),
        ] as [(String, String?)]
    )
    func `is searched by whole names, then by clear beginnings`(word: String, name: String?) {
        let found = try? CommandTable.command(named: word)
        #expect(found?.name == name)
    }

    @Test(
        arguments: [
            ("lokc-keychain", "lock-keychain"), ("stauts", "status"),
            ("find-genric-password", "find-generic-password"), ("show-everything", nil),
            ("xyzzy", nil),
        ] as [(String, String?)]
    )
    func `suggests what may have been meant`(word: String, name: String?) {
        #expect(throws: CommandFailure.unknownCommand(word, nearest: name)) {
            try CommandTable.command(named: word)
        }
    }

    @Test(arguments: CommandTable.rows.map(\.name))
    func `ends the help of a command with an example that its parser takes`(
        name: String
    ) throws {
        let command = try CommandTable.command(named: name)
        let words = try #require(Transcript.words(command.example))
        let programs = ["keychainctl", "curl", "git"]
        #expect(programs.contains(words.first ?? ""))
        guard words.first == "keychainctl" else { return #expect(command.example.contains(name)) }
        #expect(words.dropFirst().first == name)
        let arguments = try ArgumentParser(command).parse(Array(words.dropFirst(2)))
        try arguments.checkRequirements(of: command)
        let terminal = TestTerminal()
        let status = TestKeychain.run(
            ["keychainctl", "help", name],
            on: try TestKeychain.endpoint(),
            terminal
        )
        #expect(status == 0)
        #expect(terminal.outputText.hasSuffix("\nExample: \(command.example)\n"))
    }

    @Test func `says in the general help how to list the environment variables`() throws {
        let endpoint = try TestKeychain.endpoint()
        let terminal = TestTerminal()
        #expect(TestKeychain.run(["keychainctl", "help"], on: endpoint, terminal) == 0)
        #expect(terminal.outputText.contains("keychainctl help environment"))
    }

    /// The names of the variables of this package that stand in the sources.
    private static func namesInSources() throws -> Set<String> {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        )
        var names = Set<String>()
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let found = text.matches(of: /KEYCHAIN_[A-Z0-9_]*[A-Z0-9]/)
            names.formUnion(found.map { String($0.output) })
        }
        return names
    }

    @Test func `lists every environment variable of the sources in the help`() throws {
        let terminal = TestTerminal()
        let words = ["keychainctl", "help", "environment"]
        #expect(TestKeychain.run(words, on: try TestKeychain.endpoint(), terminal) == 0)
        let names = try Self.namesInSources()
        #expect(names.count >= 10)
        #expect(names.filter { !terminal.outputText.contains("  \($0) ") } == [])
    }

    @Test(arguments: ElsewhereTable.rows.map(\.name))
    func `says in one line what there is in place of a command of macOS`(name: String) throws {
        let terminal = TestTerminal()
        let words = ["keychainctl", name, "-d", "-r", "trustRoot", "root.pem"]
        #expect(TestKeychain.run(words, on: try TestKeychain.endpoint(), terminal) == 252)
        #expect(terminal.diagnosticsText.split(separator: "\n").count == 1)
        #expect(terminal.diagnosticsText.contains("there is no \(name): "))
        #expect(!CommandTable.rows.contains { $0.name == name })
    }

    @Test func `lists in the manual what there is in place of commands of macOS`() throws {
        let manual = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/Command.md")
        let text = try String(contentsOf: manual, encoding: .utf8)
        #expect(text.contains(ElsewhereTable.markdown))
    }

    @Test func `lists the available commands as Markdown`() {
        let lines = CommandTable.markdown.split(separator: "\n")
        #expect(lines.count == CommandTable.rows.count + 2)
        #expect(lines.allSatisfy { $0.hasPrefix("|") && $0.hasSuffix("|") })
    }
}
