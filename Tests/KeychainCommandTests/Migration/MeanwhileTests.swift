import Foundation
import KeychainCommand
import KeychainMigration
import KeychainModel
import Testing

@testable import keychain_migrate

/// The exit status for `errSecOpWr`.
private let openForWriting: Int32 = 207

/// Programs that use a file, or migrate it, while its secrets move.
@Suite struct `A file with secrets` {
    private let home: MigrationHome
    private static let text = "TOKEN=sk_live_abcdefghij0123456789\n# note\n"
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>token</key>
        <string>sk_live_abcdefghij0123456789</string></dict></plist>

        """

    init() throws { home = try MigrationHome() }

    @Test(arguments: [(".env", text), ("app.plist", list)])
    func `keeps its secrets while a program has it open for writing`(
        name: String,
        text: String
    ) throws {
        try home.write(text, to: name)
        let writer = open(home.path(name), O_WRONLY | O_APPEND | O_CLOEXEC)
        let refused = home.migrate(["-s", "app", home.path(name)])
        #expect(refused.status == openForWriting)
        #expect(refused.output.contains("another program has \(name) open"))
        #expect(write(writer, "\n", 1) == 1)
        close(writer)
        #expect(try home.text(name) == text + "\n")
        let dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        #expect(home.migrate(["-s", "app", home.path(name)], dependencies).status == 0)
        #expect(try !home.text(name).contains("sk_live"))
    }

    @Test(arguments: [(".env", text), ("app.plist", list)])
    func `does not get them back while a program has it open for writing`(
        name: String,
        text: String
    ) throws {
        try home.write(text, to: name)
        #expect(home.migrate(["-s", "app", home.path(name)]).status == 0)
        let rest = try home.text(name)
        let writer = open(home.path(name), O_WRONLY | O_APPEND | O_CLOEXEC)
        let refused = home.migrate(["--undo", home.path(name)])
        #expect(refused.status == openForWriting)
        #expect(refused.output.contains("another program has \(name) open"))
        close(writer)
        #expect(try home.text(name) == rest)
        #expect(home.migrate(["--undo", home.path(name)]).status == 0)
        #expect(try home.text(name).contains("sk_live_abcdefghij0123456789"))
    }

    @Test(arguments: [(".env", text), ("app.plist", list)])
    func `gets them back with no more rights than it had`(name: String, text: String) throws {
        try home.write(text, to: name)
        chmod(home.path(name), 0o600)
        #expect(home.migrate(["-s", "app", home.path(name)]).status == 0)
        chmod(home.path(name), 0o664)
        let undone = home.migrate(["--undo", home.path(name)])
        #expect(undone.status == 0)
        #expect(undone.diagnostics.contains("\(name) has the mode 600 again"))
        #expect(try mode(name) == 0o600)
    }

    @Test func `keeps a mode with fewer rights`() throws {
        try home.write(Self.text, to: ".env")
        chmod(home.path(".env"), 0o644)
        #expect(home.migrate(["-s", "app", home.path(".env")]).status == 0)
        chmod(home.path(".env"), 0o600)
        let undone = home.migrate(["--undo", home.path(".env")])
        #expect(!undone.diagnostics.contains("mode"))
        #expect(try mode(".env") == 0o600)
    }

    @Test(arguments: [[], ["--undo"]])
    func `waits for another migration, and for no more than a time`(words: [String]) throws {
        let folder = home.scratch.path
        try home.write(Self.text, to: ".env")
        var isInside = false
        try MigrationTurn.hold(in: folder) { () throws(CommandFailure) in
            isInside = true
            let refusal = CommandFailure.keychain(KeychainError(.notAvailable, ""))
            #expect(throws: refusal) {
                try MigrationTurn.hold(in: folder, patience: .zero) { () throws(CommandFailure) in }
            }
        }
        #expect(isInside)
        var dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        let turns = Turns()
        dependencies.turnFolder = { () throws(KeychainError) in
            turns.count += 1
            return folder
        }
        home.migrate(words + [home.path(".env")], dependencies)
        #expect(turns.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.contains("migration.lock"))
        home.migrate(["--dry-run"] + words + [home.path(".env")], dependencies)
        #expect(turns.count == 1)
    }

    /// The number of times that a migration asked for its turn.
    ///
    /// `@unchecked Sendable`: one thread uses it.
    private final class Turns: @unchecked Sendable { var count = 0 }

    private func mode(_ name: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(home.path(name), &status) == 0)
        return status.st_mode & 0o7777
    }
}
