import EngineTestSupport
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `A database's version` {
    private let home: TestHome
    private let path: String

    init() throws {
        home = try TestHome()
        path = home.root + "/store.db"
        try require(FileFacts.make(path), path)
    }

    private func version(_ connection: borrowing SQLiteConnection) throws -> Int64 {
        try connection.number("PRAGMA user_version")
    }

    @Test(.requirement("OPS-08"))
    func `is brought up to date in an empty file`() throws {
        _ = try ItemStore(opening: path)
        let connection = try SQLiteConnection(opening: path)
        #expect(try version(connection) == StoreSchema.version)
        #expect(try connection.number("PRAGMA application_id") == 0x4B43_484E)
    }

    @Test(.requirement("OPS-08"))
    func `moves forward step by step and keeps every row`() throws {
        let sealed = try CipherFixture.sealed()
        do {
            let store = try ItemStore(opening: path)
            _ = try store.insert(sealed)
        }
        let next = StoreSchema.migrations + [["ALTER TABLE genp ADD COLUMN more BLOB"], []]
        do {
            let connection = try SQLiteConnection(opening: path)
            try StoreMigration.prepare(connection, steps: next)
            #expect(try version(connection) == StoreSchema.version + 2)
            #expect(try connection.number("SELECT COUNT(*) FROM genp WHERE more IS NULL") == 1)
        }
        let store = try ItemStore(readingFrom: path)
        #expect(try store.rows(.everything, withSecrets: true).map(\.item) == [sealed])
    }

    @Test(.requirement("OPS-08"), arguments: ItemClass.stored)
    func `of 1 gets the indexes of labels`(itemClass: ItemClass) throws {
        do {
            let connection = try SQLiteConnection(opening: path)
            try StoreMigration.prepare(connection, steps: [StoreSchema.migrations[0]])
            #expect(try version(connection) == 1)
        }
        _ = try ItemStore(opening: path)
        let name = "i_\(itemClass.rawValue)_labl"
        let query = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'index' AND name = '\(name)'"
        #expect(try SQLiteConnection(opening: path).number(query) == 1)
    }

    @Test(.requirement("OPS-08"))
    func `of 3 moves on, so that a program that does not know envelopes refuses it`() throws {
        let known = Array(StoreSchema.migrations[..<3])
        let connection = try SQLiteConnection(opening: path)
        try StoreMigration.prepare(connection, steps: known)
        #expect(try version(connection) == 3)
        _ = try ItemStore(opening: path)
        let newest = StoreSchema.version
        #expect(try version(connection) == newest)
        expectRefusal(.newer(path: path, version: newest)) {
            try StoreMigration.prepare(connection, steps: known)
        }
    }

    @Test(.requirement("OPS-08"))
    func `of 5 gets the column of public keys, and its index`() throws {
        do {
            let connection = try SQLiteConnection(opening: path)
            try StoreMigration.prepare(connection, steps: Array(StoreSchema.migrations[..<5]))
        }
        _ = try ItemStore(opening: path)
        let connection = try SQLiteConnection(opening: path)
        #expect(try connection.number("SELECT COUNT(*) FROM keys WHERE d_pkhh IS NULL") == 0)
        let query = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'i_keys_pkhh'"
        #expect(try connection.number(query) == 1)
        #expect(try StoreSchema.differences(in: connection, version: 10) == [])
    }

    @Test(.requirement("OPS-08"))
    func `of 6 gets the table of pairs, and an earlier program refuses it`() throws {
        let known = Array(StoreSchema.migrations[..<6])
        let connection = try SQLiteConnection(opening: path)
        try StoreMigration.prepare(connection, steps: known)
        _ = try ItemStore(opening: path)
        #expect(try connection.number("SELECT COUNT(*) FROM lookup_pairs") == 0)
        #expect(try StoreSchema.differences(in: connection, version: 10) == [])
        expectRefusal(.newer(path: path, version: StoreSchema.version)) {
            try StoreMigration.prepare(connection, steps: known)
        }
    }

    @Test(.requirement("OPS-08"))
    func `of 7 gets the table of the keys of files, and an earlier program refuses it`() throws {
        let known = Array(StoreSchema.migrations[..<7])
        let connection = try SQLiteConnection(opening: path)
        try StoreMigration.prepare(connection, steps: known)
        _ = try ItemStore(opening: path)
        #expect(try connection.number("SELECT COUNT(*) FROM file_keys") == 0)
        #expect(try StoreSchema.differences(in: connection, version: 10) == [])
        expectRefusal(.newer(path: path, version: StoreSchema.version)) {
            try StoreMigration.prepare(connection, steps: known)
        }
    }

    @Test(.requirement("OPS-08"))
    func `of 9 gets the table of handle keys, and an earlier program refuses it`() throws {
        let known = Array(StoreSchema.migrations[..<9])
        let connection = try SQLiteConnection(opening: path)
        try StoreMigration.prepare(connection, steps: known)
        _ = try ItemStore(opening: path)
        #expect(try connection.number("SELECT COUNT(*) FROM handle_keys") == 0)
        #expect(try StoreSchema.differences(in: connection, version: 10) == [])
        expectRefusal(.newer(path: path, version: StoreSchema.version)) {
            try StoreMigration.prepare(connection, steps: known)
        }
    }

    @Test(.requirement("OPS-08"))
    func `stays what it was when a step fails`() throws {
        _ = try ItemStore(opening: path)
        let next =
            StoreSchema.migrations + [["CREATE TABLE half (a BLOB)", "CREATE TABLE genp (a)"]]
        let connection = try SQLiteConnection(opening: path)
        expectRefusal(.backend(code: 1, reason: "table genp already exists")) {
            try StoreMigration.prepare(connection, steps: next)
        }
        #expect(try version(connection) == StoreSchema.version)
        #expect(try connection.number("SELECT COUNT(*) FROM sqlite_schema WHERE name='half'") == 0)
    }

    @Test(.requirement("OPS-08"), arguments: [StoreSchema.version + 1, 1000])
    func `of a newer program is refused`(newer: Int64) throws {
        _ = try ItemStore(opening: path)
        try SQLiteConnection(opening: path).execute("PRAGMA user_version = \(newer)")
        let before = try home.read(path)
        expectRefusal(.newer(path: path, version: newer)) {
            _ = try ItemStore(opening: path)
        }
        #expect(try home.read(path) == before)
    }

    /// A changed bit of the file's header can make it so.
    @Test(arguments: [-1, Int64(Int32.min), Int64(Int32.min) + StoreSchema.version])
    func `below 0 is damage, and nothing is changed`(number: Int64) throws {
        _ = try ItemStore(opening: path)
        try SQLiteConnection(opening: path).execute("PRAGMA user_version = \(number)")
        let reason = "its version is \(number)"
        expectRefusal(.damaged(path: path, reason: reason)) {
            _ = try ItemStore(opening: path)
        }
        #expect(try version(SQLiteConnection(opening: path)) == number)
    }

    @Test(arguments: [
        "CREATE TABLE theirs (a)",
        "PRAGMA user_version = 1",
        "PRAGMA application_id = 7",
    ])
    func `means nothing in another program's database`(sql: String) throws {
        try SQLiteConnection(opening: path).execute(sql)
        let before = try home.read(path)
        expectRefusal(.foreign(path: path)) { _ = try ItemStore(opening: path) }
        #expect(try home.read(path) == before)
    }
}

extension RowFilter {
    /// Every generic password, whatever it is.
    static var everything: RowFilter {
        var filter = RowFilter(itemClass: .genericPassword)
        filter.synchronizable = .any
        filter.isTombstone = nil
        return filter
    }
}
