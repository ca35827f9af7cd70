import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import MigrationTestSupport
import Synchronization
import TestSupport
import Testing

@testable import KeychainCommand
@testable import keychain_migrate

/// A home directory with its keychain.
private struct Home {
    let scratch: ScratchFolder
    let endpoint: any Endpoint

    init() throws {
        scratch = try ScratchFolder()
        endpoint = try TestKeychain.endpoint()
    }

    func path(_ name: String) -> String { scratch.path + "/" + name }

    func content(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    @discardableResult
    func migrate(
        _ words: [String] = [],
        _ dependencies: MigrateCommand.Dependencies? = nil,
        _ terminal: TestTerminal = TestTerminal()
    ) -> Int32 {
        let command = MigrateCommand(dependencies ?? .inMemory(home: scratch.path))
        return TestKeychain.run(
            ["keychainctl", "migrate"] + words,
            on: endpoint,
            terminal,
            handlers: ["migrate": command.run]
        )
    }

    /// What the keychain has for an account, in whatever class; nil for nothing.
    func secret(_ kind: String, _ account: String) -> String? {
        let terminal = TestTerminal()
        let words = ["keychainctl", "find-\(kind)-password", "-a", account, "-w"]
        guard TestKeychain.run(words, on: endpoint, terminal) == 0 else { return nil }
        return String(terminal.outputText.dropLast())
    }
}

/// A store that cannot be emptied, and what the report says of it.
private struct Obstacle: CustomTestStringConvertible {
    let testDescription: String
    let words: String
    let name: String
    /// Makes the file; nil where this machine cannot.
    let make: @Sendable (String, String) throws -> Bool

    init(
        _ description: String,
        _ name: String,
        says words: String,
        _ make: @escaping @Sendable (_ path: String, _ folder: String) throws -> Bool
    ) {
        testDescription = description
        self.name = name
        self.words = words
        self.make = make
    }
}

private let line = Data("https://alice:hunter2@git.example.org\n".utf8)

private let obstacles: [Obstacle] = [
    Obstacle("a link to nothing", "f/.git-credentials", says: "to which a symbolic link leads") {
        path,
        folder in
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: folder + "/real"
        )
        return true
    },
    Obstacle("a file of another user", "f/.netrc", says: "foreignOwner: .netrc") { path, _ in
        try Data("machine a login b password c\n".utf8).write(to: URL(filePath: path))
        return chown(path, 12345, 12345) == 0
    },
    Obstacle("a folder that may not be changed", "f/.env", says: "readOnlyFolder: .env") {
        path,
        folder in
        try Data("A_TOKEN=x\n".utf8).write(to: URL(filePath: path))
        return chmod(folder, 0o500) == 0
    },
    Obstacle("a folder in place of a file", "f/.npmrc", says: "notAFile: .npmrc") { path, _ in
        mkdir(path, 0o700) == 0
    },
    Obstacle("a binary .env", "f/.env", says: "damaged: .env, line 2: a NUL byte") { path, _ in
        try Data("A_TOKEN=x\n\0\u{1}".utf8).write(to: URL(filePath: path))
        return true
    },
    Obstacle("a truncated property list", "f/a.plist", says: "damaged: a.plist") { path, _ in
        let whole = try PropertyListSerialization.data(
            fromPropertyList: ["apiToken": "x"],
            format: .binary,
            options: 0
        )
        try whole.dropLast(8).write(to: URL(filePath: path))
        return true
    },
    Obstacle("a file too large to be one", "f/.env", says: "which is larger than 16 MiB") {
        path,
        _ in
        try Data().write(to: URL(filePath: path))
        return truncate(path, 17 << 20) == 0
    },
]

@Suite struct `Migrating files` {
    @Test(arguments: obstacles)
    fileprivate func `names what stands in the way, and removes nothing`(
        obstacle: Obstacle
    ) throws {
        let home = try Home()
        let folder = home.path("f")
        defer {
            chmod(folder, 0o700)
            home.scratch.remove()
        }
        #expect(mkdir(folder, 0o700) == 0)
        let path = home.path(obstacle.name)
        try #require(try obstacle.make(path, folder), "this takes the rights of root")
        let before = try? Data(contentsOf: URL(filePath: path))
        let terminal = TestTerminal()
        #expect(home.migrate([path], nil, terminal) != 0)
        #expect(terminal.outputText.contains(obstacle.words), "\(terminal.outputText)")
        #expect(!terminal.outputText.contains("hunter2"))
        #expect((try? Data(contentsOf: URL(filePath: path))) == before)
        #expect(home.secret("internet", "alice") == nil)
    }

    @Test(.requirement("MIG-48"))
    func `in a dry run prints the plan and touches nothing`() throws {
        let home = try Home()
        defer { home.scratch.remove() }
        let files = [".git-credentials": line, "shop/.env": Data("A_TOKEN=x\nB=1\n".utf8)]
        for (name, bytes) in files { try home.scratch.write(bytes, to: home.path(name)) }
        let names = try home.scratch.names
        let terminal = TestTerminal()
        let words = ["--dry-run"] + files.keys.sorted().map(home.path)
        #expect(home.migrate(words, nil, terminal) == 0)
        #expect(terminal.outputText.contains("would move"))
        #expect(!terminal.outputText.contains("hunter2"))
        #expect(try files.filter { try home.content($0.key) != $0.value } == [:])
        #expect(try home.scratch.names == names)
        #expect(home.secret("internet", "alice") == nil)
        #expect(home.secret("generic", "A_TOKEN") == nil)
    }

    @Test(.requirement("USE-09", "MIG-48"))
    func `in a dry run makes no keychain, and looks at the files all the same`() throws {
        let home = try Home()
        defer { home.scratch.remove() }
        try home.scratch.write(line, to: home.path(".git-credentials"))
        var dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        dependencies.hasKeychain = { false }
        let terminal = TestTerminal()
        let command = MigrateCommand(dependencies)
        let invocation = Invocation(
            program: "keychainctl",
            terminal: terminal,
            handlers: ["migrate": command.run],
            connect: { () throws(KeychainError) in
                throw KeychainError(.notAvailable, "somebody opened the keychain")
            }
        )
        #expect(invocation.run(["migrate", "--dry-run"]) == 0, "\(terminal.diagnosticsText)")
        #expect(terminal.outputText.contains("would move"))
        #expect(invocation.run(["migrate", "--undo"]) == 0, "\(terminal.diagnosticsText)")
        #expect(invocation.run(["migrate"]) != 0)
        #expect(try home.scratch.names == [".git-credentials"])
    }

    @Test(
        .requirement("USE-07"),
        arguments: [
            ([], "AfterFirstUnlock"), (["--this-device-only"], "AfterFirstUnlockThisDeviceOnly"),
        ]
    )
    func `makes items that travel, unless asked otherwise`(
        words: [String],
        accessible: String
    ) throws {
        let home = try Home()
        defer { home.scratch.remove() }
        try home.scratch.write(line, to: home.path(".git-credentials"))
        #expect(home.migrate(words) == 0)
        let terminal = TestTerminal()
        let find = ["keychainctl", "find-internet-password", "-a", "alice", "--json"]
        #expect(TestKeychain.run(find, on: home.endpoint, terminal) == 0)
        #expect(terminal.outputText.contains("\"accessible\": \"\(accessible)\""))
    }

    @Test(.requirement("USE-07"))
    func `says what will not travel before anything is deleted`() throws {
        let home = try Home()
        defer { home.scratch.remove() }
        try home.scratch.write("A_TOKEN=a\nB_TOKEN=b\n", to: home.path("shop/.env"))
        let add = ["keychainctl", "add-generic-password", "-s", "shop", "-a", "A_TOKEN"]
        let bound = ["--accessible", "AfterFirstUnlockThisDeviceOnly"]
        let input = TestTerminal(input: Array("a".utf8))
        #expect(TestKeychain.run(add + bound, on: home.endpoint, input) == 0)
        let deletes = CrashInjector(limit: 0)
        var dependencies = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        dependencies.between = { CrashingSource($0, deletes) }
        let stopped = TestTerminal()
        let path = home.path("shop/.env")
        #expect(home.migrate(["--service", "shop", path], dependencies, stopped) != 0)
        let sentence =
            "warning: 1 of 2 to move never travel to another machine, not even in a backup: A_TOKEN"
        #expect(stopped.diagnosticsText.contains(sentence), "\(stopped.diagnosticsText)")
        #expect(try home.content("shop/.env") == Data("A_TOKEN=a\nB_TOKEN=b\n".utf8))
        let terminal = TestTerminal()
        let isSaidFirst = Mutex<[Bool]>([])
        nonisolated(unsafe) let seen = terminal
        let watch = CrashInjector {
            let isSaid = seen.diagnosticsText.contains("never travel to another machine")
            isSaidFirst.withLock { $0.append(isSaid) }
        }
        var watched = MigrateCommand.Dependencies.inMemory(home: home.scratch.path)
        watched.between = { CrashingSource($0, watch) }
        let local = ["--service", "shop", "--this-device-only", path]
        #expect(home.migrate(local, watched, terminal) == 0)
        #expect(isSaidFirst.withLock { $0.first } == true, "\(terminal.diagnosticsText)")
    }

    @Test(
        .requirement("USE-07"),
        arguments: [
            (".npmrc", "//registry.npmjs.org/:_authToken=x\n", "npm"),
            (".pypirc", "[pypi]\nusername = u\npassword = x\n", "twine"),
            (".pgpass", "h:1:d:u:x\n", "psql"),
        ]
    )
    func `leaves files alone whose tools need a recipe each time, unless they are named`(
        name: String,
        text: String,
        tool: String
    ) throws {
        let home = try Home()
        defer { home.scratch.remove() }
        try home.scratch.write(text, to: home.path(name))
        let terminal = TestTerminal()
        #expect(home.migrate([], nil, terminal) == 0)
        #expect(
            terminal.outputText.contains("\(tool) reads it only there; name the file to move it")
        )
        #expect(try home.content(name) == Data(text.utf8))
        let named = TestTerminal()
        #expect(home.migrate([home.path(name)], nil, named) == 0)
        #expect(try home.content(name) != Data(text.utf8))
        #expect(named.diagnosticsText.contains("\(tool) gets it from: "))
    }

    @Test(arguments: UnhandledStore.all.map(\.path))
    func `tells of files that it sees and does not handle`(path: String) throws {
        let home = try Home()
        defer { home.scratch.remove() }
        try home.scratch.write("token: t0ken\n", to: home.path(path))
        let terminal = TestTerminal()
        #expect(home.migrate(["--dry-run"], nil, terminal) == 0)
        #expect(terminal.outputText.contains("~/\(path)"))
        #expect(terminal.outputText.contains("found, not migrated: "))
        #expect(home.migrate([]) == 0)
        let named = TestTerminal()
        #expect(home.migrate([home.path(path)], nil, named) == 0)
        #expect(named.outputText.contains("found, not migrated: "))
        #expect(try home.content(path) == Data("token: t0ken\n".utf8))
    }

    @Test func `reads a file of such a name if its format is named`() throws {
        let home = try Home()
        defer { home.scratch.remove() }
        let path = home.path(".cargo/credentials")
        try home.scratch.write("[registry]\ntoken = \"t0ken\"\n", to: path)
        #expect(home.migrate(["--from", "cargo", path]) == 0)
        #expect(home.secret("generic", "CARGO_REGISTRY_TOKEN") == "t0ken")
        #expect(home.migrate([home.path(".my.cnf")]) == 2)
    }

    @Test(arguments: [0o600, 0o640, 0o400])
    func `keeps mode, comments and order`(mode: Int) throws {
        let home = try Home()
        defer { home.scratch.remove() }
        let path = home.path(".netrc")
        let text = "# one\nmachine a login b password c\nmachine d login e\n# two\n"
        try home.scratch.write(text, to: path)
        #expect(chmod(path, mode_t(mode)) == 0)
        #expect(home.migrate() == 0)
        let rest = try home.content(".netrc")
        #expect(String(decoding: rest, as: UTF8.self) == "# one\nmachine d login e\n# two\n")
        #expect(ScratchFolder.permissions(of: path) == String(mode, radix: 8))
        #expect(try home.scratch.names == [".netrc"])
        #expect(home.secret("internet", "b") == "c")
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `empties an app's container of secrets`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let home = try Home()
        defer { home.scratch.remove() }
        let list: [String: Any] = ["authToken": "t0ken", "volume": 3, "user": ["password": "pw"]]
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: format,
            options: 0
        )
        let name = "app/Library/Preferences/com.example.app.plist"
        try home.scratch.write(bytes, to: home.path(name))
        #expect(home.migrate([home.path("app")]) == 0)
        var found = PropertyListSerialization.PropertyListFormat.openStep
        let rest = try PropertyListSerialization.propertyList(
            from: home.content(name),
            format: &found
        )
        #expect(found == format)
        #expect((rest as? NSDictionary) == ["volume": 3, "user": [String: String]()])
        #expect(home.secret("generic", "authToken") == "t0ken")
        #expect(home.secret("generic", "user.password") == "pw")
        let words = ["keychainctl", "find-generic-password", "-s", "com.example.app"]
        #expect(TestKeychain.run(words, on: home.endpoint) == 0)
    }

    @Test func `takes hundreds of passwords of an export`() throws {
        let home = try Home()
        defer { home.scratch.remove() }
        let rows = (0..<200).map { "N,https://h\($0).example/,u\($0),p\($0),\n" }
        let path = home.path("logins.csv")
        try home.scratch.write("name,url,username,password,note\n" + rows.joined(), to: path)
        #expect(home.migrate([path]) == 0)
        let rest = try home.content("logins.csv")
        #expect(String(decoding: rest, as: UTF8.self) == "name,url,username,password,note\n")
        #expect([0, 99, 199].map { home.secret("internet", "u\($0)") } == ["p0", "p99", "p199"])
        #expect(home.migrate(["--undo"]) == 0)
        let whole = Data(("name,url,username,password,note\n" + rows.joined()).utf8)
        #expect(try home.content("logins.csv") == whole)
    }
}

@Suite struct `A migration that is killed` {
    /// More than the effects of the whole migration: what an undo needs for each file, then three
    /// notes, an add and a delete for each secret.
    private static let killPoints = Array(0...29)

    private static let secrets: [(kind: String, account: String, secret: String)] = [
        ("internet", "alice", "hunter2"), ("internet", "bob", "s p"),
        ("generic", "A_TOKEN", "t0ken"), ("generic", "B_TOKEN", "0ther"),
        ("internet", "carol", "pw"),
    ]

    @Test(.requirement("MIG-06"), arguments: killPoints)
    func `loses no secret, and goes on where it was`(effects: Int) throws {
        let home = try Home()
        defer { home.scratch.remove() }
        let files = [
            ".git-credentials": "https://alice:hunter2@git.example.org\nhttps://bob:s%20p@h\n",
            "shop/.env": "# c\nA_TOKEN='t0ken'\nB_TOKEN=0ther\n",
            ".docker/config.json": "{\"auths\":{\"h\":{\"auth\":\"Y2Fyb2w6cHc=\"}}}",
        ]
        for (name, text) in files { try home.scratch.write(text, to: home.path(name)) }
        let words = files.keys.sorted().map(home.path)
        let injector = CrashInjector(limit: effects)
        let status = home.migrate(words, .crashing(home: home.scratch.path, injector))
        #expect((status == 0) == !injector.hasCrashed)
        #expect(injector.hasCrashed == (effects < 28))
        let marks = ["hunter2", "s%20p", "t0ken", "0ther", "Y2Fyb2w6cHc="]
        let contents = try files.keys.map { String(decoding: try home.content($0), as: UTF8.self) }
        let nowhere = zip(Self.secrets, marks).filter { secret, mark in
            home.secret(secret.kind, secret.account) != secret.secret
                && !contents.contains { $0.contains(mark) }
        }
        #expect(nowhere.map(\.0.account) == [])
        let unlimited = CrashInjector()
        #expect(home.migrate(words, .crashing(home: home.scratch.path, unlimited)) == 0)
        let moved = Self.secrets.map { home.secret($0.kind, $0.account) }
        #expect(moved == Self.secrets.map(\.secret))
        let rest = try files.keys.sorted().map { name in
            String(decoding: try home.content(name), as: UTF8.self)
        }
        #expect(rest == ["{\"auths\":{\"h\":{}}}", "", "# c\n"])
    }
}
