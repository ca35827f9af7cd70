import Foundation
import Glibc
import KeychainHost
import KeychainMigration
import TestSupport
import Testing

@testable import KeychainCommand
@testable import keychain_migrate

@Suite struct `A migration whose keychain is a daemon's` {
    private let home: MigrationHome
    private let environment: ProcessEnvironment

    init() throws {
        home = try MigrationHome()
        let socket = home.path("socket")
        try #require(mknod(socket, S_IFSOCK | 0o600, 0) == 0)
        let variables = ["HOME": home.scratch.path, "KEYCHAIN_SOCKET": socket]
        environment = ProcessEnvironment(executable: "/usr/bin/keychain-migrate") { variables[$0] }
    }

    private func migrate(_ words: String...) -> (status: Int32, output: String) {
        let run = home.migrate(words, MigrateCommand.dependencies(of: environment))
        return (run.status, run.output + run.diagnostics)
    }

    @Test(.requirement("USE-07")) func `is undone without a keychain in the account's directory`()
        throws
    {
        defer { home.scratch.remove() }
        let text = "A_TOKEN=one\n"
        try home.write(text, to: "shop/.env")
        let run = migrate(home.path("shop/.env"))
        #expect(run.status == 0, "\(run.output)")
        #expect(try home.text("shop/.env") != text)
        let undone = migrate("--undo", home.path("shop/.env"))
        #expect(undone.status == 0, "\(undone.output)")
        #expect(try home.text("shop/.env") == text)
    }

    @Test func `sees in a dry run what the daemon has`() throws {
        defer { home.scratch.remove() }
        try home.write("A_TOKEN=one\n", to: "shop/.env")
        try #require(migrate(home.path("shop/.env")).status == 0)
        let plan = migrate("--undo", "--dry-run")
        #expect(plan.output.contains("A_TOKEN"), "\(plan.output)")
    }

    @Test func `has its journal in a directory of the account alone`() throws {
        defer { home.scratch.remove() }
        let journal = try MigrateCommand.dependencies(of: environment).journal()
        #expect(try journal.entries().isEmpty)
        var status = stat()
        try #require(stat(home.path(".local/share/keychain"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }
}

@Suite struct `The environment of a command's companion` {
    @Test(
        .requirement("OPS-01"),
        arguments: [["KEYCHAIN_SOCKET": ""], ["KEYCHAIN_SOCKET": "", "XDG_RUNTIME_DIR": "/tmp"]]
    ) func `asks for no daemon where the command's does`(variables: [String: String]) {
        let own = ProcessEnvironment(
            executable: "/usr/bin/keychain-migrate",
            accountHome: { "/accounts/ann" },
            variable: { variables[$0] }
        )
        let environment = Invocation.commandEnvironment(of: own)
        #expect(environment.executable == "/usr/bin/keychainctl")
        #expect(DaemonSocket.candidates(environment).isEmpty)
        #expect(environment.accountHome == "/accounts/ann")
    }
}
