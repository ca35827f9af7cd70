import Foundation
import KeychainMigration
import MigrationTestSupport
import TestSupport
import Testing

@testable import keychain_migrate

// ★ Table: one file of each format, as the tools write it.
private let files: [(name: String, text: String)] = [
    (".env", "# top\nexport A_TOKEN='a b' # why\nPORT=1\nB_KEY=\"x\\\"y\"\n"),
    (
        ".netrc",
        "# mine\nmachine a.example login ann password \"p q\"\nmachine b.example login bo\n"
    ),
    (".git-credentials", "https://ann:p%3Aq@git.example\nhttps://bo:x@git.example:8443/team\n"),
    (
        "config.json",
        "{\n  \"auths\": {\n    \"h.example\": { \"auth\": \"YW5uOmh1bnRlcjI=\" }\n  }\n}\n"
    ),
    (
        "credentials",
        "[default]\naws_access_key_id = AKIA1\naws_secret_access_key=s/+=\nregion = eu\n"
    ),
    (".pgpass", "# c\ndb.example:5432:shop:ann:pa\\:ss\n"),
    (
        ".npmrc",
        "save=true\n//registry.npmjs.org/:_authToken=npm_1\n//r.example/x/:_authToken=\"t\"\n"
    ),
    (
        ".pypirc",
        "[pypi]\nusername = __token__\npassword = pypi-1\n\n[testpypi]\nusername: u\npassword: q\n"
    ),
    (
        "logins.csv",
        "name,url,username,password,note\nMail,https://m.example/,ann,\"p\"\"q\",\"a\nb\"\n"
    ),
    (
        "vault.json",
        """
        {"items": [
          {"type": 1, "name": "Mail", "notes": "old\\none", "login": {"username": "ann", \
        "password": "p\\"q", "uris": [{"uri": "https://m.example/"}]}},
          {"type": 2, "name": "note"}
        ]}

        """
    ),
]

@Suite struct `Undoing a migration` {
    private let home: MigrationHome

    init() throws { home = try MigrationHome() }

    @Test(.requirement("USE-07"), arguments: files.map(\.name), [0o600, 0o640])
    func `gives a file back byte for byte, with its mode`(name: String, mode: Int) throws {
        defer { home.scratch.remove() }
        let text = try #require(files.first { $0.name == name }?.text)
        try home.write(text, to: name)
        #expect(chmod(home.path(name), mode_t(mode)) == 0)
        #expect(home.migrate([home.path(name)]).status == 0)
        #expect(try home.text(name) != text)
        let undo = home.migrate(["--undo", home.path(name)])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(undo.output.contains("written back"))
        #expect(try home.text(name) == text)
        #expect(ScratchFolder.permissions(of: home.path(name)) == String(mode, radix: 8))
        #expect(home.migrate(["--undo"]).output == "nothing to write back was found\n")
    }

    @Test(
        .requirement("USE-07"),
        arguments: [
            "A_KEY=\"one\ntwo\"\n", "A_KEY='one\n\"two\"'\n", "A_KEY='`one\n\\two`'\n",
            "A_KEY=\"one\n two\\n\t\\t\"\r\n",
            "A_KEY=\"a\\\\b \\\"c\\\" \\$d \\`f\\` g\\\\\" # h\n",
            "export A_KEY=\"-----BEGIN KEY-----\nabc$\n-----END KEY-----\n\"\nB=1",
        ]
    )
    func `gives a quoted value of several lines back as it was spelled`(text: String) throws {
        defer { home.scratch.remove() }
        try home.write(text, to: ".env")
        #expect(home.migrate(["--all", home.path(".env")]).status == 0)
        #expect(try home.text(".env") == "")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(Array(try home.text(".env").utf8) == Array(text.utf8))
    }

    @Test(arguments: ["\\n\"", "$HOME", "a\nb"])
    func `writes another value with escapes where the old spelling would change it`(
        value: String
    ) throws {
        defer { home.scratch.remove() }
        try home.write("A_KEY=\"\t\n\"\n", to: ".env")
        #expect(home.migrate(["--all", home.path(".env")]).status == 0)
        #expect(home.run(["delete-generic-password", "-a", "A_KEY"]).status == 0)
        let add = ["add-generic-password", "-a", "A_KEY", "-s", home.path("").dropLast() + ""]
        #expect(home.run(add, input: value).status == 0)
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(home.migrate(["--all", home.path(".env")]).status == 0)
        #expect(home.secret("generic", "A_KEY") == value || value.contains("\n"))
        #expect(try home.text(".env") == "")
    }

    @Test(.requirement("USE-07")) func `writes what the keychain holds by now`() throws {
        defer { home.scratch.remove() }
        try home.write("https://ann:old@git.example\n", to: ".git-credentials")
        #expect(home.migrate().status == 0)
        let update = [
            "add-internet-password", "-U", "-s", "git.example", "-a", "ann", "-r", "htps",
        ]
        #expect(home.run(update + ["-P", "0", "-p", ""], input: "n:w").status == 0)
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(".git-credentials") == "https://ann:n%3Aw@git.example\n")
    }

    @Test func `goes back over several runs`() throws {
        defer { home.scratch.remove() }
        let name = ".env"
        try home.write("A_TOKEN=one\n# c\n", to: name)
        #expect(home.migrate([home.path(name)]).status == 0)
        try home.write("# c\nB_TOKEN=two\n", to: name)
        #expect(home.migrate([home.path(name)]).status == 0)
        #expect(try home.text(name) == "# c\n")
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(name) == "A_TOKEN=one\n# c\nB_TOKEN=two\n")
    }

    @Test(.requirement("USE-07"))
    func `leaves a file alone that somebody changed since, unless it is forced`() throws {
        defer { home.scratch.remove() }
        let path = home.path(".git-credentials")
        try home.write("https://ann:old@git.example\n# mine\n", to: ".git-credentials")
        #expect(home.migrate().status == 0)
        let changed = "# mine\nhttps://bo:x@h.example\n"
        try home.write(changed, to: ".git-credentials")
        let refused = home.migrate(["--undo", path])
        #expect(refused.status == 45)
        #expect(refused.output.contains("the file changed since the migration"))
        #expect(try home.text(".git-credentials") == changed)
        #expect(home.migrate(["--undo", "--force", path]).status == 0)
        #expect(try home.text(".git-credentials") == "https://ann:old@git.example\n" + changed)
    }

    @Test func `does not overwrite another value for the same place, unless it is forced`() throws {
        defer { home.scratch.remove() }
        let path = home.path(".npmrc")
        let text = "//registry.npmjs.org/:_authToken=npm_1\nsave=true\n"
        try home.write(text, to: ".npmrc")
        #expect(home.migrate([path]).status == 0)
        let newer = text.replacing("npm_1", with: "npm_2")
        try home.write(newer, to: ".npmrc")
        let refused = home.migrate(["--undo"])
        #expect(refused.status == 45)
        #expect(refused.output.contains("the file has another value"), "\(refused.output)")
        #expect(try home.text(".npmrc") == newer)
        #expect(home.migrate(["--undo", "--force"]).status == 0)
        #expect(try home.text(".npmrc") == text)
    }

    @Test(arguments: ["{\"auths\":{\"h\":{}},\"x\":1}", "{\"x\": 1, \"auths\": {\"h\": {}}}"])
    func `finds its place in a JSON file that was changed, if it is forced`(text: String) throws {
        defer { home.scratch.remove() }
        let path = home.path("config.json")
        try home.write("{\"auths\":{\"h\":{\"auth\":\"YTpi\"}}}", to: "config.json")
        #expect(home.migrate([path]).status == 0)
        try home.write(text, to: "config.json")
        #expect(home.migrate(["--undo", path]).status == 45)
        #expect(home.migrate(["--undo", "--force", path]).status == 0)
        #expect(try home.text("config.json") == text.replacing("{}", with: "{\"auth\":\"YTpi\"}"))
    }

    @Test func `names what the keychain holds no more, and gives back the rest`() throws {
        defer { home.scratch.remove() }
        try home.write("# c\nA_TOKEN=one\nB_TOKEN=two\n", to: ".env")
        #expect(home.migrate([home.path(".env")]).status == 0)
        #expect(home.run(["delete-generic-password", "-a", "A_TOKEN"]).status == 0)
        let undo = home.migrate(["--undo"])
        #expect(undo.status == 44)
        #expect(undo.output.contains("the keychain no longer has it"))
        #expect(try home.text(".env") == "# c\nB_TOKEN=two\n")
    }

    @Test(.requirement("USE-06"))
    func `is not held up by an item that needs a person`() throws {
        defer { home.scratch.remove() }
        try home.write("A_TOKEN=one\nB_TOKEN=two\n", to: ".env")
        #expect(home.migrate([home.path(".env")]).status == 0)
        #expect(home.run(["passcode", "set"], input: "1234\n").status == 0)
        let gate = ["set-access-control", "-a", "A_TOKEN", "--require", "userPresence"]
        #expect(home.run(gate, input: "1234\n").status == 0)
        let undo = home.migrate(["--undo"])
        #expect(undo.status != 0)
        #expect(undo.output.contains("failed: read: "), "\(undo.output)")
        #expect(try home.text(".env") == "B_TOKEN=two\n")
    }

    @Test func `deletes the items it made, if asked, and no other ones`() throws {
        defer { home.scratch.remove() }
        let add = ["add-generic-password", "-s", "known", "-a", "A_TOKEN"]
        #expect(home.run(add, input: "one").status == 0)
        try home.write("A_TOKEN=one\nB_TOKEN=two\n", to: "known/.env")
        let path = home.path("known/.env")
        #expect(home.migrate(["--service", "known", path]).status == 0)
        let undo = home.migrate(["--undo", "--delete-items"])
        #expect(undo.status == 0)
        #expect(undo.output.components(separatedBy: "item deleted").count == 2, "\(undo.output)")
        #expect(home.secret("generic", "A_TOKEN") == "one")
        #expect(home.secret("generic", "B_TOKEN") == nil)
        #expect(try home.text("known/.env") == "A_TOKEN=one\nB_TOKEN=two\n")
    }

    @Test func `deletes no item that another file still rests on`() throws {
        defer { home.scratch.remove() }
        let names = ["a/shop/.env", "b/shop/.env"]
        for name in names { try home.write("A_TOKEN=one\n", to: name) }
        #expect(home.migrate(["--service", "shop"] + names.map(home.path)).status == 0)
        #expect(home.migrate(["--undo", "--delete-items", home.path("a")]).status == 0)
        #expect(home.secret("generic", "A_TOKEN") == "one")
        #expect(home.migrate(["--undo", "--delete-items", home.path("b")]).status == 0)
        #expect(try names.map(home.text) == ["A_TOKEN=one\n", "A_TOKEN=one\n"])
    }

    @Test func `says what it would do in a dry run, and touches nothing`() throws {
        defer { home.scratch.remove() }
        try home.write("A_TOKEN=one\n", to: ".env")
        #expect(home.migrate([home.path(".env")]).status == 0)
        let plan = home.migrate(["--undo", "--dry-run", "--delete-items"])
        #expect(plan.status == 0)
        #expect(plan.output.contains("would be written back"))
        #expect(try home.text(".env") == "")
        #expect(home.secret("generic", "A_TOKEN") == "one")
    }

    @Test func `leaves what a conflict kept as it is`() throws {
        defer { home.scratch.remove() }
        let add = ["add-generic-password", "-s", "known", "-a", "A_TOKEN"]
        #expect(home.run(add, input: "other").status == 0)
        let text = "A_TOKEN=one\nB_TOKEN=two\n"
        try home.write(text, to: "known/.env")
        let words = ["--service", "known", home.path("known/.env")]
        #expect(home.migrate(words).status == 45)
        #expect(try home.text("known/.env") == "A_TOKEN=one\n")
        #expect(home.migrate(["--undo", "--force"]).status == 0)
        #expect(try home.text("known/.env") == text)
    }

    @Test func `makes a file again that held nothing else`() throws {
        defer { home.scratch.remove() }
        let text = "db.example:5432:shop:ann:pw\n"
        try home.write(text, to: ".pgpass")
        #expect(home.migrate([home.path(".pgpass")]).status == 0)
        #expect(unlink(home.path(".pgpass")) == 0)
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text(".pgpass") == text)
        #expect(ScratchFolder.permissions(of: home.path(".pgpass")) == "600")
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `gives a property list its values back`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        defer { home.scratch.remove() }
        let list: [String: Any] = [
            "authToken": "t0ken", "pinToken": 1234, "isSecret": true, "keyToken": Data([0, 255]),
            "users": [["password": "pw"], ["password": ""]], "volume": 0.5, "tokens": ["a", "b"],
        ]
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: format,
            options: 0
        )
        let path = home.path("a.plist")
        try home.scratch.write(bytes, to: path)
        #expect(home.migrate(["--all", path]).status == 0)
        let undo = home.migrate(["--undo"])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        let restored = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: URL(filePath: path)),
            format: nil
        )
        #expect(restored as? NSDictionary == list as NSDictionary)
    }

    @Test func `holds no value in what it remembers`() throws {
        defer { home.scratch.remove() }
        for (name, text) in files { try home.write(text, to: name) }
        #expect(home.migrate(files.map { home.path($0.name) }).status == 0)
        let values = [
            "a b", "x\\\"y", "p q", "p:q", "hunter2", "AKIA1", "s/+=", "pa:ss", "npm_1", "pypi-1",
        ]
        let records = files.map { name, _ in
            let words = ["-s", "keychain-migrate.undo", "-a", home.path(name), "-w"]
            let account = ["-s", "keychain-migrate.undo", "-a", "~/" + name, "-w"]
            let record = home.run(["find-generic-password"] + account)
            let other = home.run(["find-generic-password"] + words)
            return texts(in: record.status == 0 ? record.output : other.output)
        }
        #expect(!records.contains(""))
        #expect(values.filter { value in records.contains { $0.contains(value) } } == [])
    }

    /// The bytes of a record, which JSON writes as numbers, as text.
    private func texts(in record: String) -> String {
        let numbers = record.split { !$0.isNumber }.compactMap { UInt8($0) }
        return String(decoding: numbers, as: UTF8.self)
    }

    @Test(
        arguments: [
            (["--undo", "--keep"], "--keep has no effect with --undo"),
            (["--undo", "--from", "npmrc"], "with --undo, --from accepts only secret-service"),
            (["--force"], "--force has no effect without --undo"),
            (["--delete-items"], "--delete-items has no effect without --undo"),
        ]
    )
    func `refuses options that mean nothing`(words: [String], reason: String) {
        defer { home.scratch.remove() }
        let run = home.migrate(words)
        #expect(run.status == 2)
        #expect(run.diagnostics.contains(reason))
    }

    @Test func `names a file that nothing was taken out of`() {
        defer { home.scratch.remove() }
        let run = home.migrate(["--undo", home.path(".netrc")])
        #expect(run.status == 44)
        #expect(run.diagnostics.contains("migrate took nothing out of"))
    }
}

@Suite struct `An undo that is killed` {
    /// More than the effects of a whole undo: two deleted items and one record, for each file.
    private static let killPoints = Array(0...8)

    @Test(.requirement("USE-07"), arguments: killPoints)
    func `leaves every secret in one place at least, and goes on where it was`(effects: Int) throws
    {
        let home = try MigrationHome()
        defer { home.scratch.remove() }
        let texts = [
            "shop/.env": "# c\nA_TOKEN=one\nB_TOKEN=two\n",
            ".git-credentials": "https://ann:old@git.example\n",
        ]
        for (name, text) in texts { try home.write(text, to: name) }
        #expect(home.migrate(texts.keys.map(home.path)).status == 0)
        let injector = CrashInjector(limit: effects)
        let words = ["--undo", "--delete-items"]
        home.migrate(words, .crashing(home: home.scratch.path, injector))
        let secrets = [
            ("generic", "A_TOKEN", "one"), ("generic", "B_TOKEN", "two"),
            ("internet", "ann", "old"),
        ]
        let contents = try texts.keys.map(home.text)
        let nowhere = secrets.filter { kind, account, secret in
            home.secret(kind, account) != secret && !contents.contains { $0.contains(secret) }
        }
        #expect(nowhere.map(\.1) == [])
        #expect(home.migrate(words).status == 0)
        #expect(try texts.filter { try home.text($0.key) != $0.value } == [:])
        #expect(secrets.allSatisfy { home.secret($0.0, $0.1) == nil })
    }
}

@Suite struct `A killed migration` {
    /// More than the effects of the whole migration.
    private static let killPoints = Array(0...20)

    @Test(.requirement("USE-07"), arguments: killPoints)
    func `can be undone from wherever it was`(effects: Int) throws {
        let home = try MigrationHome()
        defer { home.scratch.remove() }
        let texts = [
            "shop/.env": "# c\nA_TOKEN=one\nB_TOKEN=two\n",
            ".git-credentials": "https://ann:old@git.example\n",
        ]
        for (name, text) in texts { try home.write(text, to: name) }
        let injector = CrashInjector(limit: effects)
        let words = texts.keys.sorted().map(home.path)
        home.migrate(words, .crashing(home: home.scratch.path, injector))
        let undo = home.migrate(["--undo"])
        #expect(undo.status == 0, "\(undo.diagnostics)")
        #expect(try texts.filter { try home.text($0.key) != $0.value } == [:])
    }
}
