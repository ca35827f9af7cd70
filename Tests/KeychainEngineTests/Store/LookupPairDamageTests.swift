import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

private let ada = ["user": "ada", "server": "example.com"]
private let ben = ["user": "ben", "server": "example.com"]

/// What somebody does to the digests of pairs, and what a search for those of "ada" finds then.
private struct Tampering: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sql: String
    let found: [String]

    static let table = [
        Tampering("all are removed", "DELETE FROM lookup_pairs", found: []),
        Tampering(
            "one is removed",
            "DELETE FROM lookup_pairs WHERE row = 1 AND digest = (SELECT min(digest) "
                + "FROM lookup_pairs WHERE row = 1)",
            found: []
        ),
        Tampering(
            "those of one row are given to another",
            "INSERT OR IGNORE INTO lookup_pairs SELECT digest, 2 FROM lookup_pairs WHERE row = 1",
            found: ["ada"]
        ),
        Tampering(
            "those of two rows are swapped",
            "UPDATE OR IGNORE lookup_pairs SET row = 3 - row",
            found: []
        ),
        Tampering(
            "some are of rows that are not there",
            "INSERT INTO lookup_pairs SELECT digest, row + 10 FROM lookup_pairs",
            found: ["ada"]
        ),
        Tampering(
            "some are of the least and the greatest row",
            """
            INSERT INTO lookup_pairs SELECT digest, 9223372036854775807 * (2 * row - 3)
            FROM lookup_pairs
            """,
            found: ["ada"]
        ),
        Tampering(
            "some have rows that are no numbers",
            "INSERT INTO lookup_pairs SELECT digest, x'FF' FROM lookup_pairs WHERE row = 1",
            found: ["ada"]
        ),
        Tampering(
            "some have rows between two numbers",
            "INSERT INTO lookup_pairs SELECT digest, 1.5 FROM lookup_pairs WHERE row = 1",
            found: ["ada"]
        ),
        Tampering("one has no bytes", "INSERT INTO lookup_pairs VALUES (x'', 1)", found: ["ada"]),
    ]

    private init(_ name: String, _ sql: String, found: [String]) {
        testDescription = name
        self.sql = sql
        self.found = found
    }
}

@Suite struct `Digests of pairs that somebody changed` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .unlocked()
        keychain = fixture.keychain
        #expect(keychain.add(try paired("ada", ada)) == .success)
        #expect(keychain.add(try paired("ben", ben)) == .success)
    }

    @Test(.requirement("STO-11"), arguments: Tampering.table)
    fileprivate func `hide an item at most, and a check reports them`(
        tampering: Tampering
    ) throws {
        try fixture.execute([tampering.sql])
        #expect(keychain.accounts(try paired(nil, ada)) == tampering.found)
        #expect(keychain.accounts(password(nil)) == ["ada", "ben"])
        #expect(try !fixture.faults().isEmpty)
    }

    @Test(arguments: Tampering.table)
    fileprivate func `let no wrong item be changed or deleted`(tampering: Tampering) throws {
        try fixture.execute([tampering.sql])
        let isFound = !tampering.found.isEmpty
        let status: SecurityStatus = isFound ? .success : .itemNotFound
        #expect(keychain.update(try paired(nil, ada), "new") == status)
        #expect(keychain.read(password("ben")) == .value("open sesame"))
        #expect(keychain.read(password("ada")) == .value(isFound ? "new" : "open sesame"))
        #expect(keychain.delete(try paired(nil, ada)) == status)
        #expect(keychain.accounts(password(nil)) == (isFound ? ["ben"] : ["ada", "ben"]))
    }

    @Test func `are put in order by the item's next update`() throws {
        try fixture.execute(["DELETE FROM lookup_pairs WHERE row = 1"])
        #expect(try fixture.faults().count == 1)
        #expect(keychain.update(password("ada"), "new") == .success)
        #expect(keychain.accounts(try paired(nil, ada)) == ["ada"])
        #expect(try fixture.faults() == [])
    }

    @Test func `are reported for a row and for no row`() throws {
        try fixture.execute([
            "INSERT INTO lookup_pairs SELECT digest, row + 10 FROM lookup_pairs",
            "DELETE FROM lookup_pairs WHERE row = 2",
        ])
        #expect(
            try fixture.faults() == [
                .database("genp row 2: its digests of pairs are not its own"),
                .database("4 digests of pairs belong to no row"),
            ]
        )
    }

    @Test func `are not reported for rows that are closed`() throws {
        try fixture.execute(["DELETE FROM lookup_pairs WHERE row = 2"])
        try fixture.engine.lock()
        #expect(try fixture.faults() == [])
    }

    @Test func `in front of a new row do not keep it from being added`() throws {
        try fixture.execute([
            "INSERT INTO lookup_pairs SELECT digest, 3 FROM lookup_pairs WHERE row = 1"
        ])
        #expect(keychain.add(try paired("cyd", ada)) == .success)
        #expect(keychain.accounts(try paired(nil, ada)) == ["ada", "cyd"])
        #expect(try fixture.faults() == [])
    }
}
