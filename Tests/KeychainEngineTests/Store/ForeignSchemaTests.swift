import EngineTestSupport
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// Something in a database's schema that the keychain did not put there, and what it is called.
private struct Planted: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sentence: String
    let sql: [String]

    init(_ name: String, _ sentence: String, _ sql: String...) {
        testDescription = name
        self.sentence = sentence
        self.sql = sql
    }

    /// Behind SQLite's back, in the text of a table.
    private static func rewritten(_ name: String, _ old: String, _ new: String) -> Planted {
        Planted(
            name,
            "the table `genp` differs from the keychain's",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = 'genp'",
            "PRAGMA writable_schema = OFF"
        )
    }

    private static func added(_ name: String, _ title: String, _ sql: String...) -> Planted {
        var planted = Planted(name, "the \(title) does not belong to the keychain")
        planted = Planted(planted, sql)
        return planted
    }

    private init(_ other: Planted, _ sql: [String]) {
        testDescription = other.testDescription
        sentence = other.sentence
        self.sql = sql
    }

    static let keeper = added(
        "a trigger that keeps what is deleted",
        "trigger `a_keeper`",
        "CREATE TABLE kept (metadata BLOB, secret BLOB)",
        """
        CREATE TRIGGER a_keeper BEFORE DELETE ON genp
            BEGIN INSERT INTO kept VALUES (old.metadata, old.secret); END
        """
    )

    // ★ Table: what any program with SQLite can plant, without a key.
    static let all = [
        keeper,
        added(
            "a trigger that keeps what is overwritten",
            "trigger `a_keeper`",
            "CREATE TABLE kept (secret BLOB)",
            """
            CREATE TRIGGER a_keeper BEFORE UPDATE ON genp
                BEGIN INSERT INTO kept VALUES (old.secret); END
            """
        ),
        added(
            "a trigger that has writes come to nothing",
            "trigger `ignore`",
            "CREATE TRIGGER ignore BEFORE INSERT ON genp BEGIN SELECT RAISE(IGNORE); END"
        ),
        added("a view", "view `looks`", "CREATE VIEW looks AS SELECT * FROM genp"),
        Planted(
            "a view in the place of a table",
            "the view `genp` differs from the keychain's",
            "ALTER TABLE genp RENAME TO xgenp",
            "CREATE VIEW genp AS SELECT * FROM xgenp",
            "CREATE TRIGGER instead INSTEAD OF INSERT ON genp BEGIN SELECT 1; END"
        ),
        added("a table", "table `more`", "CREATE TABLE more (a)"),
        added(
            "a virtual table",
            "table `more`",
            "PRAGMA writable_schema = ON",
            """
            INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
                VALUES ('table', 'more', 'more', 0, 'CREATE VIRTUAL TABLE more USING fts5 (a)')
            """
        ),
        added("statistics", "table `sqlite_stat1`", "ANALYZE"),
        added(
            "an index that admits one row of each class",
            "index `one`",
            "CREATE UNIQUE INDEX one ON genp (pdmn)"
        ),
        added("a partial index", "index `i`", "CREATE INDEX i ON genp (d_acct) WHERE tomb = 1"),
        added("an index of an expression", "index `i`", "CREATE INDEX i ON genp (hex(secret))"),
        added(
            "a name that would steer a terminal",
            "table `a?[2J?b`",
            "CREATE TABLE \"a\u{1B}[2J`b\" (a)"
        ),
        Planted("a lost index", "the index `i_genp_acct` is missing", "DROP INDEX i_genp_acct"),
        rewritten("a rule for rows", "tomb INTEGER NOT NULL", "tomb INTEGER NOT NULL CHECK (tomb)"),
        rewritten("a generated column", "secret BLOB", "secret BLOB, more AS (secret)"),
        rewritten("a further column", "secret BLOB", "secret BLOB, more BLOB"),
        rewritten(
            "writes that come to nothing",
            "pkey BLOB NOT NULL UNIQUE",
            "pkey BLOB NOT NULL UNIQUE ON CONFLICT IGNORE"
        ),
    ]

    /// As any program with SQLite would.
    func plant(in path: String) throws {
        let connection = try SQLiteConnection(opening: path, settings: [])
        for statement in sql { try connection.execute(statement) }
    }
}

@Suite struct `A schema that is not the keychain's` {
    private let home: TestHome
    private let path: String

    init() throws {
        home = try TestHome()
        path = home.home.database
        #expect(try home.open().add(password()) == .success)
    }

    @Test(.requirement("LCK-11"), arguments: Planted.all)
    fileprivate func `is refused by name, and left as it is`(planted: Planted) throws {
        try planted.plant(in: path)
        let before = try home.read(path)
        expectRefusal(.foreignSchema(path: path, difference: planted.sentence)) {
            _ = try ItemStore(opening: path)
        }
        let refusal = try #require(home.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains(path) && refusal.reason.contains(planted.sentence))
        #expect(try home.read(path) == before)
    }

    @Test(.requirement("LCK-11"), arguments: Planted.all)
    fileprivate func `is not written to by who has the database open`(planted: Planted) throws {
        let keychain = try home.open()
        #expect(keychain.update(password(), "open sesame") == .success)
        #expect(keychain.read(password()) == .value("open sesame"))
        try planted.plant(in: path)
        #expect(keychain.add(password("bob")) == .notAvailable)
        #expect(keychain.update(password(), "another") == .notAvailable)
        #expect(keychain.delete(password()) == .notAvailable)
        let reading = keychain.read(password())
        #expect(reading == .value("open sesame") || reading == Reading(.notAvailable, nil))
    }

    @Test(.requirement("LCK-11"))
    func `is named by a check in a process that has the database open`() throws {
        let engine = try home.open().endpoint.engine
        try Planted.keeper.plant(in: path)
        let faults = try engine.faults()
        #expect(faults.contains(.database(Planted.keeper.sentence)), "\(faults)")
        #expect(faults.contains(.database("the table `kept` does not belong to the keychain")))
    }

    @Test(.requirement("LCK-11"))
    func `keeps nothing of what is deleted where a trigger was planted unseen`() throws {
        let store = try ItemStore(opening: nil)
        let row = try store.insert(try CipherFixture.sealed()).put?.row
        for statement in Planted.keeper.sql { try store.connection.execute(statement) }
        _ = try store.remove(row: try #require(row), of: .genericPassword)
        #expect(try store.connection.number("SELECT COUNT(*) FROM kept") == 0)
    }

    @Test(.requirement("LCK-11"))
    func `turns no write into one that does nothing and succeeds`() throws {
        let store = try ItemStore(opening: nil)
        let text = try #require(StoreSchema.migrations[0].first { $0.contains("TABLE genp") })
        try store.connection.execute("DROP TABLE genp")
        try store.connection.execute(
            text.replacing("NOT NULL UNIQUE", with: "NOT NULL UNIQUE ON CONFLICT IGNORE")
        )
        let sealed = try CipherFixture.sealed()
        _ = try store.insert(sealed)
        let reason = "SQLite wrote 0 rows instead of 1"
        expectRefusal(.damaged(path: ":memory:", reason: reason)) {
            _ = try store.insert(sealed)
        }
    }

    @Test(.requirement("LCK-11"), arguments: [false, true])
    func `can do nothing in any connection`(isReader: Bool) throws {
        let opened = try ItemStore(opening: path)
        let store = isReader ? try ItemStore(readingFrom: path) : opened
        try Planted.all[3].plant(in: path)
        expectDatabaseError { _ = try store.connection.number("SELECT 1 FROM looks") }
        expectDatabaseError { _ = try store.connection.number("SELECT \"no column\"") }
        try store.connection.execute("PRAGMA writable_schema = ON")
        #expect(try store.connection.number("PRAGMA trusted_schema") == 0)
        expectDatabaseError { try store.connection.execute("DELETE FROM sqlite_schema") }
    }

    @Test(.requirement("LCK-11"), arguments: 0...StoreSchema.migrations.count)
    func `is told from the one of each version`(version: Int) throws {
        let connection = try SQLiteConnection(opening: ":memory:")
        try StoreMigration.prepare(connection, steps: Array(StoreSchema.migrations[..<version]))
        #expect(try StoreSchema.differences(in: connection, version: version) == [])
    }
}
