import Foundation
import TestSupport
import Testing

@Suite struct `A dry run of a migration` {
    private let home: MigrationHome

    init() throws { home = try MigrationHome() }

    @Test(.requirement("MIG-48"))
    func `says all that the real run says beside its outcomes`() throws {
        defer { home.scratch.remove() }
        let files = [
            ".git-credentials": "https://ann:p@git.example\n", "shop/.env": "A_TOKEN=one\n",
            ".aws/credentials": "[work]\naws_secret_access_key = s/+=\n",
            ".pgpass": "db.example:5432:shop:ann:pw\n",
        ]
        for (name, text) in files { try home.write(text, to: name) }
        let words = files.keys.sorted().map(home.path)
        let plan = home.migrate(["--dry-run"] + words)
        let run = home.migrate(words)
        #expect(plan.status == 0)
        #expect(run.status == 0)
        #expect(plan.diagnostics == run.diagnostics)
        #expect(plan.diagnostics.contains("migrate deletes from ~/shop/.env, once the keychain"))
        #expect(plan.diagnostics.contains("psql gets it from: "))
        let outcomes = plan.output.replacing("would move", with: "moved")
        #expect(outcomes == run.output)
    }

    @Test func `names the line of what has no name`() throws {
        defer { home.scratch.remove() }
        try home.write("name,url,username,password\n,,ann,p\n,,,q\n", to: "export.csv")
        let plan = home.migrate(["--dry-run", home.path("export.csv")])
        #expect(plan.diagnostics.contains("once the keychain holds them: ann, line 3\n"))
    }

    @Test func `of copies announces no deletion`() throws {
        defer { home.scratch.remove() }
        try home.write("A_TOKEN=one\n", to: "shop/.env")
        let plan = home.migrate(["--dry-run", "--keep", home.path("shop/.env")])
        #expect(!plan.diagnostics.contains("migrate deletes from"), "\(plan.diagnostics)")
        #expect(!plan.diagnostics.contains("Backups"), "\(plan.diagnostics)")
    }

    @Test func `names no more than ten of a store's secrets`() throws {
        defer { home.scratch.remove() }
        let lines = (1...12).map { "A_TOKEN_\($0)=secret\($0)\n" }
        try home.write(lines.joined(), to: "shop/.env")
        let plan = home.migrate(["--dry-run", home.path("shop/.env")])
        #expect(plan.diagnostics.contains("A_TOKEN_10 and 2 more\n"), "\(plan.diagnostics)")
    }
}
