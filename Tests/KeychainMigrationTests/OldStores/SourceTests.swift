import Foundation
import KeychainMigration
import TestSupport
import Testing

@Suite struct `An old store` {
    @Test(.requirement("MIG-01"), arguments: OldStore.allCases)
    func `gives its values to the keychain and keeps none`(store: OldStore) throws {
        let place = try Place()
        let suite = Suite()
        let keychain = InMemoryKeychain()
        let source = try store.make(in: place, suite: suite, keychain: keychain)
        let moves = ["a", "b", "c"].map { Move($0, from: source, to: .token($0)) }
        let report = Mover(keychain: keychain, journal: InMemoryJournal()).run(moves)
        #expect(report.outcomes == [.moved, .moved, .moved])
        #expect(try keychain.text(.token("b")) == "beta")
        let left = try ["a", "b", "c"].compactMap { try source.read($0) }
        #expect(left.isEmpty)
    }

    @Test(.requirement("MIG-48"), arguments: OldStore.allCases)
    func `is not touched by a dry run, nor is the keychain`(store: OldStore) throws {
        let place = try Place()
        let suite = Suite()
        let keychain = InMemoryKeychain()
        let source = try store.make(in: place, suite: suite, keychain: keychain)
        let before = try place.snapshot()
        let itemCount = keychain.items.count
        keychain.removeCalls()
        let journal = FileJournal(file: place.file("journal"))
        let moves = ["a", "b", "z"].map { Move($0, from: source, to: .token($0)) }
        let report = Mover(keychain: keychain, journal: journal).run(moves, isDryRun: true)
        #expect(report.outcomes == [.planned("move"), .planned("move"), .nothingThere])
        #expect(report.description.hasPrefix("dry run: nothing was changed"))
        #expect(try place.snapshot() == before)
        #expect(keychain.items.count == itemCount)
        #expect(keychain.calls.allSatisfy { $0 == .read })
        #expect(try source.read("a")?.secret.text == "alpha")
    }
}

@Suite struct `Defaults` {
    let suite = Suite()

    @Test(.requirement("MIG-16"))
    func `lose the moved keys on disk and keep the others`() throws {
        let defaults = suite.defaults
        defaults.set("alpha", forKey: "authToken")
        defaults.set("beta", forKey: "refreshToken")
        defaults.set("dark", forKey: "theme")
        _ = defaults.synchronize()
        let source = DefaultsSource(suite: suite.name)
        let keychain = InMemoryKeychain()
        let moves = ["authToken", "refreshToken"].map { Move($0, from: source, to: .token($0)) }
        let report = Mover(keychain: keychain, journal: InMemoryJournal()).run(moves)
        #expect(report.isComplete)
        #expect(report.lines.map(\.from) == Array(repeating: "defaults \(suite.name)", count: 2))
        let onDisk = UserDefaults(suiteName: suite.name)?.persistentDomain(forName: suite.name)
        #expect(onDisk?.keys.sorted() == ["theme"])
        let file = URL.homeDirectory.appending(path: ".config/\(suite.name).plist")
        let bytes = try Data(contentsOf: file)
        let list = try PropertyListSerialization.propertyList(from: bytes, format: nil)
        #expect((list as? [String: Any])?.keys.sorted() == ["theme"])
    }

    @Test(.requirement("MIG-44"))
    func `can be handed over, so that a test never touches the standard ones`() throws {
        // The guide's own test, with the store given to what migrates it.
        let keychain = InMemoryKeychain()
        keychain.fail(.add, with: -25308)
        suite.defaults.set("secret-token", forKey: "authToken")
        let source = DefaultsSource(suite.defaults, name: "test")
        let mover = Mover(keychain: keychain, journal: InMemoryJournal())
        let report = mover.run([Move("authToken", from: source, to: .token())])
        #expect(report.outcomes == [.deferred("the keychain is locked")])
        #expect(suite.defaults.string(forKey: "authToken") == "secret-token")
        #expect(UserDefaults.standard.string(forKey: "authToken") == nil)
    }

    @Test func `hold more than text`() throws {
        let values: [String: Any] = [
            "number": 42, "truth": true, "data": Data([0, 255]),
            "date": Date(timeIntervalSince1970: 0), "list": ["x", "y"],
        ]
        for (key, value) in values { suite.defaults.set(value, forKey: key) }
        let source = DefaultsSource(suite.defaults, name: "test")
        #expect(try source.read("number")?.secret.text == "42")
        #expect(try source.read("data")?.secret.copyBytesUnprotected() == Data([0, 255]))
        #expect(try source.read("date")?.secret.text == "1970-01-01T00:00:00Z")
        let list = try #require(try source.read("list")).secret.copyBytesUnprotected()
        let decoded = try PropertyListSerialization.propertyList(from: list, format: nil)
        #expect(decoded as? [String] == ["x", "y"])
        #expect(try source.read("nothing") == nil)
    }

    @Test func `cannot give up what is registered for every launch`() throws {
        suite.defaults.register(defaults: ["keychain-migration-test-registered": "built in"])
        defer { suite.defaults.register(defaults: ["keychain-migration-test-registered": ""]) }
        let source = DefaultsSource(suite.defaults, name: "test")
        #expect(throws: SourceFailure.self) {
            try source.delete("keychain-migration-test-registered")
        }
    }
}

@Suite struct `A property list` {
    let place: Place
    init() throws { place = try Place() }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `keeps its format and all that was not moved`(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let list: [String: Any] = [
            "accounts": [["token": "alpha", "name": "ada"], ["token": "beta", "name": "bob"]],
            "count": 2, "ratio": 0.5, "on": true, "made": Date(timeIntervalSince1970: 1),
            "with.dot": ["back\\slash": Data([1, 2, 3])],
        ]
        let url = try place.writeList(list, to: "tokens.plist", format)
        chmod(url.path, 0o640)
        let source = PropertyListSource(file: PlainFile(url))
        #expect(try source.read("accounts.1.token")?.secret.text == "beta")
        let odd = ValuePath(["with.dot", "back\\slash"]).text
        #expect(try source.read(odd)?.secret.copyBytesUnprotected() == Data([1, 2, 3]))
        try source.delete("accounts.1.token")
        try source.delete(odd)
        var found = PropertyListSerialization.PropertyListFormat.openStep
        let bytes = try Data(contentsOf: url)
        let rest = try PropertyListSerialization.propertyList(from: bytes, format: &found)
        #expect(found == format)
        let expected: [String: Any] = [
            "accounts": [["token": "alpha", "name": "ada"], ["name": "bob"]],
            "count": 2, "ratio": 0.5, "on": true, "made": Date(timeIntervalSince1970: 1),
            "with.dot": [String: Any](),
        ]
        #expect((rest as? NSDictionary) == expected as NSDictionary)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(mode[.posixPermissions] as? Int == 0o640)
    }

    @Test func `keeps the places of an array's other elements`() throws {
        let url = try place.writeList(["tokens": ["a", "b", "c"]], to: "l.plist")
        let source = PropertyListSource(file: PlainFile(url))
        try source.delete("tokens.0")
        #expect(try source.read("tokens.0") == nil)
        #expect(try source.read("tokens.1")?.secret.text == "b")
        #expect(try source.read("tokens.2")?.secret.text == "c")
    }

    @Test(arguments: [["a"], ["a", "b"], ["a.b", "c\\d", ".", "\\", ""], ["é", "漢"]])
    func `names a value by a path that reads back`(components: [String]) {
        let path = ValuePath(components)
        #expect(ValuePath(text: path.text) == path)
    }
}

@Suite struct `A JSON file` {
    @Test func `keeps every byte but those of the value`() throws {
        let place = try Place()
        let text = """
            {
              // no comment: "token" follows
            """.prefix(2) + """
                  "token" : "s\\u00e9cret \\"quoted\\"",
                  "big": 12345678901234567890, "price": 1.10,
                  "list": [ {"token":"x"}, null, {"token" : "y"} ],
                  "token2": {"a": [1, 2, {"b": "}]"}]}
                }
                """
        let url = try place.write(String(text), to: "config.json")
        let source = JSONSource(file: PlainFile(url))
        #expect(try source.read("token")?.secret.text == "sécret \"quoted\"")
        #expect(try source.read("list.2.token")?.secret.text == "y")
        #expect(try source.read("list.1") == nil)
        try source.delete("token")
        try source.delete("list.2.token")
        try source.delete("missing.path")
        let expected = String(text)
            .replacingOccurrences(of: "\"s\\u00e9cret \\\"quoted\\\"\"", with: "null")
            .replacingOccurrences(of: "\"y\"", with: "null")
        #expect(try String(contentsOf: url, encoding: .utf8) == expected)
        #expect(try source.read("token") == nil)
        #expect(try source.read("big") != nil)
    }

    @Test func `gives objects as JSON`() throws {
        let place = try Place()
        let url = try place.write(#"{"s": {"b": [1, "x"], "a": true}}"#, to: "c.json")
        let found = try JSONSource(file: PlainFile(url)).read("s")
        #expect(found?.secret.text == #"{"a":true,"b":[1,"x"]}"#)
    }
}

@Suite struct `An archive` {
    let place: Place
    init() throws { place = try Place() }

    private func source(_ url: URL) -> KeyedArchiveSource {
        KeyedArchiveSource(file: url, classes: [Session.archivedName: Session.maker]) { root in
            guard let session = root as? Session else { return [:] }
            let modern = ["user": session.user, "token": session.token]
            // The same archive has to give the same bytes whenever it is read.
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return ["session": try encoder.encode(modern)]
        }
    }

    @Test(.requirement("MIG-17"))
    func `is decoded securely, stored anew, verified and then deleted`() throws {
        let session = Session(user: "ada", token: "alpha")
        let url = try place.write(Session.archive(session), to: "UserSession.archive")
        let keychain = InMemoryKeychain()
        let mover = Mover(keychain: keychain, journal: InMemoryJournal())
        let move = Move("session", from: source(url), to: .token("userSession"))
        #expect(mover.run([move]).outcomes == [.moved])
        let stored = try #require(try keychain.read(.token("userSession"))?.value)
        let modern = try JSONDecoder().decode(
            [String: String].self,
            from: stored.copyBytesUnprotected()
        )
        #expect(modern == ["user": "ada", "token": "alpha"])
        #expect(try place.snapshot().isEmpty)
        // Absent is fine.
        #expect(mover.run([move]).outcomes == [.alreadyThere])
    }

    @Test(.requirement("MIG-17"))
    func `that is corrupt is kept and reported`() throws {
        let whole = Session.archive(Session(user: "ada", token: "alpha"))
        let url = try place.write(whole.prefix(whole.count / 2), to: "UserSession.archive")
        let before = try place.snapshot()
        let mover = Mover(keychain: InMemoryKeychain(), journal: InMemoryJournal())
        let report = mover.run([Move("session", from: source(url), to: .token())])
        let expected = SourceFailure(.damaged, "UserSession.archive")
        #expect(report.outcomes == [.failed(.source(expected))])
        #expect(report.needsFreshLogin)
        #expect(try place.snapshot() == before)
    }

    @Test func `with a class that nobody allowed is kept and reported`() throws {
        let bytes = Session.archive(["s": Session(user: "ada", token: "alpha")] as NSDictionary)
        let url = try place.write(bytes, to: "old.archive")
        #expect(throws: SourceFailure(.unknownClass, "old.archive")) {
            try KeyedArchiveSource(file: url).read("s.token")
        }
        #expect(place.exists("old.archive"))
    }

    @Test func `goes with the last of its values`() throws {
        let root: NSDictionary = ["a": "alpha", "l": ["beta", Data([7])] as NSArray]
        let url = try place.write(Session.archive(root), to: "old.archive")
        let source = KeyedArchiveSource(file: url)
        #expect(try source.keys() == ["a", "l.0", "l.1"])
        try source.delete("a")
        #expect(try source.read("a") == nil)
        #expect(try KeyedArchiveSource(file: url).keys() == ["l.0", "l.1"])
        try source.delete("l.1")
        #expect(place.exists("old.archive"))
        try source.delete("l.0")
        #expect(try place.snapshot().isEmpty)
        #expect(try source.keys().isEmpty)
    }
}

@Suite struct `A file with a secret` {
    @Test(.requirement("MIG-39"))
    func `is deleted in the ordinary way, without overwriting it`() throws {
        let place = try Place()
        let url = try place.write("alpha", to: "token.dat")
        // Another name of the same bytes shows whether anybody wrote over them.
        try FileManager.default.linkItem(at: url, to: place.file("witness"))
        let source = FileSource(folder: place.folder)
        let mover = Mover(keychain: InMemoryKeychain(), journal: InMemoryJournal())
        let report = mover.run([Move("token.dat", from: source, to: .token())])
        #expect(report.outcomes == [.moved])
        #expect(try place.snapshot() == ["witness": Data("alpha".utf8)])
    }

    @Test(arguments: ["", ".", "..", "../other", "a/b", "nul\0l"])
    func `has a name that leads nowhere else`(name: String) throws {
        let place = try Place()
        #expect(throws: SourceFailure(.unsupportedKey, name)) {
            try FileSource(folder: place.folder).read(name)
        }
    }
}
