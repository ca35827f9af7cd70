import Foundation
import KeychainMigration
import MigrationTestSupport
import TestSupport
import Testing

@testable import keychain_migrate

/// A keychain that cannot add the item of one account.
private struct NarrowKeychain: ForwardingKeychain {
    let base = ServicesKeychain()
    let account: String

    func add(_ item: KeychainItem) throws(KeychainFailure) {
        guard item.attributes[.account] != .text(account) else {
            throw KeychainFailure(.add, status: -34)
        }
        try base.add(item)
    }
}

private let profile =
    "[default]\naws_access_key_id = AKIA1\naws_secret_access_key = s1\naws_security_token = tok1\n"

@Suite struct `A file of which a part stays` {
    private let home: MigrationHome

    init() throws { home = try MigrationHome() }

    @Test func `moves a profile whole, with its session token under the old name`() throws {
        defer { home.scratch.remove() }
        try home.write(profile + "[two]\n  aws_access_key_id = AKIA2\n", to: ".aws/credentials")
        #expect(home.migrate().status == 0)
        #expect(try home.text(".aws/credentials") == "[default]\n[two]\n")
        let answer = home.run(["aws-credentials"]).output
        #expect(answer.contains("\"SessionToken\": \"tok1\""), "\(answer)")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(
            try home.text(".aws/credentials") == profile + "[two]\n  aws_access_key_id = AKIA2\n"
        )
    }

    @Test func `leaves a profile whole where the keychain has another value for a part`() throws {
        defer { home.scratch.remove() }
        let add = ["add-generic-password", "-s", "aws:default", "-a", "AWS_SECRET_ACCESS_KEY"]
        #expect(home.run(add, input: "other").status == 0)
        try home.write(profile, to: ".aws/credentials")
        let run = home.migrate()
        #expect(run.status == 45)
        #expect(run.output.contains("conflict: the keychain holds another value"))
        #expect(run.output.contains("kept: its profile moves whole or not at all"))
        #expect(try home.text(".aws/credentials") == profile)
        #expect(home.secret("generic", "AWS_ACCESS_KEY_ID") == nil)
        #expect(
            run.diagnostics.contains("3 of 3 stay where they are: 1 could not move, 2 are kept")
        )
    }

    @Test func `leaves a profile whole where a part cannot be stored`() throws {
        defer { home.scratch.remove() }
        try home.write(profile, to: ".aws/credentials")
        var dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        dependencies.keychain = NarrowKeychain(account: "AWS_SESSION_TOKEN")
        #expect(home.migrate([], dependencies).status != 0)
        #expect(try home.text(".aws/credentials") == profile)
        #expect(home.migrate().status == 0)
        #expect(try home.text(".aws/credentials") == "[default]\n")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(".aws/credentials") == profile)
    }

    @Test func `names the line that makes no sense, and moves the others`() throws {
        defer { home.scratch.remove() }
        let text = "https://tok@a.example\nhttps://bob:pw@b.example\n"
        try home.write(text, to: ".git-credentials")
        let run = home.migrate()
        #expect(run.status == 0)
        #expect(run.output.contains("~/.git-credentials:1"))
        #expect(run.output.contains("kept: a URL without a user or without a password"))
        #expect(try home.text(".git-credentials") == "https://tok@a.example\n")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(".git-credentials") == text)
    }

    @Test func `counts what stays, and calls only failures of input and output so`() throws {
        defer { home.scratch.remove() }
        let add = ["add-generic-password", "-s", "shop", "-a", "A_TOKEN"]
        #expect(home.run(add, input: "other").status == 0)
        try home.write("A_TOKEN=1\nB_TOKEN=2\nPORT=3\nx.key=4\n", to: ".env")
        let run = home.migrate(["--service", "shop", home.path(".env"), home.path("no.env")])
        let sentence =
            "errSecDuplicateItem (-25299): 1 file stays as it is, and 3 of 4 stay where they are:"
            + " 1 could not move, 2 are kept; see above"
        #expect(run.diagnostics.contains(sentence), "\(run.diagnostics)")
    }

    @Test(
        arguments: [
            ("no.env", nil, "errSecItemNotFound (-25300)"),
            ("a.plist", "x", "errSecDecode (-26275)"),
            ("a.csv", "a,b\n", "errSecDecode (-26275)"),
        ] as [(String, String?, String)]
    )
    func `has the status of its reason`(name: String, text: String?, status: String) throws {
        defer { home.scratch.remove() }
        if let text { try home.write(text, to: name) }
        let run = home.migrate([home.path(name)])
        #expect(run.diagnostics.contains(status), "\(run.diagnostics)")
        #expect(run.diagnostics.contains("1 file stays as it is; see above"))
    }

    @Test func `uses no variable that the environment has`() throws {
        defer { home.scratch.remove() }
        let text = "//r.example/:_authToken=npm_1\n//s.example/:_authToken=npm_2\n"
        try home.write(text, to: ".npmrc")
        var dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        dependencies.isVariableSet = { $0 == "NPM_TOKEN_R_EXAMPLE" }
        let run = home.migrate([home.path(".npmrc")], dependencies)
        #expect(run.output.contains("the variable NPM_TOKEN_R_EXAMPLE is set already"))
        #expect(run.diagnostics.contains("npm gets it from: NPM_TOKEN_S_EXAMPLE="))
        let rest = text.replacing("npm_2", with: "${NPM_TOKEN_S_EXAMPLE}")
        #expect(try home.text(".npmrc") == rest)
    }

    @Test func `does not lose the note of a login whose item is there already`() throws {
        defer { home.scratch.remove() }
        let first = "name,url,username,password,note\nN,https://h/,u,p,\n"
        try home.write(first, to: "a.csv")
        #expect(home.migrate([home.path("a.csv")]).status == 0)
        let second = "name,url,username,password,note\nN,https://h/,u,p,a note\n"
        try home.write(second, to: "b.csv")
        let run = home.migrate([home.path("b.csv")])
        #expect(run.output.contains("its item is there already, with another note"))
        #expect(try home.text("b.csv") == second)
    }
}

@Suite struct `What an item has no attribute for` {
    private static let vault = """
        {"folders": [{"id": "f", "name": "Work"}], "items": [
          {"type": 1, "name": "Mail", "favorite": true, "folderId": "f", "notes": "old\\/one", \
        "login": {"username": "ann", "password": "p\\u0041", "uris": [{"uri": \
        "https://m.example/?q=1"}]}}]}

        """

    @Test(.requirement("USE-07"))
    func `becomes lines of the comment, and is gone from it after an undo`() throws {
        let home = try MigrationHome()
        defer { home.scratch.remove() }
        try home.write(Self.vault, to: "vault.json")
        #expect(home.migrate([home.path("vault.json")]).status == 0)
        let comment = "old/one\nfolder: Work\nfavorite: yes\naddress: https://m.example/?q=1"
        let find = ["find-internet-password", "-a", "ann", "-j", comment, "-w"]
        #expect(home.run(find).output == "pA\n")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text("vault.json") == Self.vault)
    }
}

@Suite struct `Two accounts of one server` {
    private let home: MigrationHome

    init() throws { home = try MigrationHome() }

    @Test func `keep their order, for git takes the first`() throws {
        defer { home.scratch.remove() }
        let text =
            "https://one:p1@c.example\nhttps://x:y@d.example\nhttps://two:p2@c.example/a.git\n"
            + "https://three:p3@c.example\n"
        try home.write(text, to: ".git-credentials")
        #expect(home.migrate().status == 0)
        let asked = "protocol=https\nhost=c.example\n\n"
        let found = home.run(["git-credential", "get"], input: asked)
        #expect(found.output == "password=p1\nusername=one\n")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(".git-credentials") == text)
    }

    @Test func `keep their order also in two files, which git reads one after the other`() throws {
        defer { home.scratch.remove() }
        let (first, second) = ("https://one:p1@c.example\n", "https://two:p2@c.example\n")
        try home.write(first, to: ".git-credentials")
        try home.write(second, to: ".config/git/credentials")
        #expect(home.migrate().status == 0)
        let asked = "protocol=https\nhost=c.example\n\n"
        let found = home.run(["git-credential", "get"], input: asked)
        #expect(found.output == "password=p1\nusername=one\n")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(".git-credentials") == first)
        #expect(try home.text(".config/git/credentials") == second)
    }

    @Test func `keep their order, for curl takes the first`() throws {
        defer { home.scratch.remove() }
        let text = "machine a login one password p1\nmachine a login two password p2\n"
        try home.write(text, to: ".netrc")
        #expect(home.migrate().status == 0)
        #expect(home.run(["netrc", "a"]).output == text)
    }
}
