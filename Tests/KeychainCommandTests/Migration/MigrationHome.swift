import Foundation
import KeychainHost
import KeychainMessages
import KeychainMigration
import KeychainModel
import MigrationCommand

/// A home directory with its keychain, in which a test migrates and undoes.
struct MigrationHome {
    let scratch: ScratchFolder
    let endpoint: any Endpoint

    init() throws {
        scratch = try ScratchFolder()
        endpoint = try TestKeychain.endpoint()
    }

    func path(_ name: String) -> String { scratch.path + "/" + name }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws {
        try scratch.write(text, to: path(name))
    }

    /// Runs `keychainctl migrate` with these words.
    @discardableResult
    func migrate(
        _ words: [String] = [],
        _ surroundings: MigrateCommand.Surroundings? = nil,
        service: SecretServiceInMemory? = nil
    ) -> (status: Int32, output: String, diagnostics: String) {
        var surroundings = surroundings ?? .inMemory(home: scratch.path)
        if let service { surroundings.secretService = { service } }
        let terminal = TestTerminal()
        let status = TestKeychain.run(
            ["keychainctl", "migrate"] + words,
            on: endpoint,
            terminal,
            duties: ["migrate": MigrateCommand(surroundings).run]
        )
        return (status, terminal.outputText, terminal.diagnosticsText)
    }

    /// Runs another command; what it printed.
    @discardableResult
    func run(_ words: [String], input: String = "") -> (status: Int32, output: String) {
        let terminal = TestTerminal(input: Array(input.utf8))
        let status = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        return (status, terminal.outputText)
    }

    /// What the keychain has for an account of a class, such as `generic`; nil for nothing.
    func secret(_ kind: String, _ account: String) -> String? {
        let found = run(["find-\(kind)-password", "-a", account, "-w"])
        return found.status == 0 ? String(found.output.dropLast()) : nil
    }
}
