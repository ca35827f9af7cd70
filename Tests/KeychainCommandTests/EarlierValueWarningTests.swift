import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand
@testable import KeychainEngine

@Suite struct `A command whose earlier value stays with a reader` {
    private let scratch: ScratchFolder
    private let home: KeychainHome
    private let terminal = TestTerminal()
    private let context: CommandContext

    init() throws {
        scratch = try ScratchFolder()
        let home = KeychainHome(directory: scratch.path + "/keychain")
        let runtime = scratch.path
        let environment = ProcessEnvironment(executable: "/usr/bin/program") { name in
            ["KEYCHAIN_HOME": home.directory, "XDG_RUNTIME_DIR": runtime][name]
        }
        context = CommandContext(
            program: "keychainctl",
            terminal: terminal,
            connect: { () throws(KeychainError) in try EmbeddedKeychain.open(home, environment) }
        )
        self.home = home
    }

    private func run(_ name: String, _ words: String...) throws {
        let command = try CommandTable.command(named: name)
        try command.run(try ArgumentParser(command).parse(words), context)
    }

    @Test(.requirement("LCK-12"))
    func `warns, and a check and the doctor tell until it is gone`() throws {
        defer { scratch.remove() }
        try run("add-generic-password", "-a", "ada", "-s", "mail", "-w", "open sesame")
        let reader = try SQLiteConnection(opening: home.database, settings: [])
        try reader.execute("BEGIN")
        #expect(try reader.number("SELECT COUNT(*) FROM genp") == 1)
        try run("delete-generic-password", "-a", "ada")
        #expect(terminal.diagnosticsText.contains("warning: the change is stored, but"))
        try run("check")
        #expect(terminal.outputText.contains("earlier values may still be in it"))
        try run("doctor")
        #expect(terminal.outputText.contains("earlier values may still be in keychain.db-wal"))
        try reader.execute("COMMIT")
        try run("check", "--json")
        #expect(terminal.outputText.contains("\"earlierValuesInLog\": false"))
    }
}
