import EngineTestSupport
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// A way to spoil the row of "ada" behind the keychain's back.
private struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sql: [String]

    init(_ name: String, _ sql: String...) {
        testDescription = name
        self.sql = sql
    }
}

private let flipped = "CAST(zeroblob(16) AS BLOB)"

private let damages: [Damage] =
    [
        Damage("protection class", "UPDATE genp SET pdmn = 7 WHERE row = 2"),
        Damage("unknown protection class", "UPDATE genp SET pdmn = 99 WHERE row = 2"),
        Damage("primary key", "UPDATE genp SET pkey = \(flipped) WHERE row = 2"),
        Damage("persistent reference", "UPDATE genp SET pref = \(flipped) WHERE row = 2"),
        Damage("no attributes", "UPDATE genp SET metadata = x'' WHERE row = 2"),
        Damage("short attributes", "UPDATE genp SET metadata = x'0101' WHERE row = 2"),
        Damage("version", "UPDATE genp SET metadata = x'03' || substr(metadata, 2) WHERE row = 2"),
        Damage(
            "earlier version",
            "UPDATE genp SET metadata = x'01' || substr(metadata, 2) WHERE row = 2"
        ),
        Damage(
            "attributes of another row",
            "UPDATE genp SET metadata = (SELECT metadata FROM genp WHERE row = 3) WHERE row = 2"
        ),
        Damage(
            "both halves of another row",
            """
            UPDATE genp SET metadata = (SELECT metadata FROM genp WHERE row = 3),
                secret = (SELECT secret FROM genp WHERE row = 3) WHERE row = 2
            """
        ),
    ]
    + Schema.digestColumns(of: .genericPassword).map { attribute in
        let column = StoreSchema.column(attribute)
        return Damage(column, "UPDATE genp SET \(column) = \(flipped) WHERE row = 2")
    }

private let secretDamages: [Damage] = [
    Damage("no value", "UPDATE genp SET secret = NULL WHERE row = 2"),
    Damage("empty value", "UPDATE genp SET secret = x'' WHERE row = 2"),
    Damage("short value", "UPDATE genp SET secret = substr(secret, 1, 60) WHERE row = 2"),
    Damage(
        "value of another row",
        "UPDATE genp SET secret = (SELECT secret FROM genp WHERE row = 3) WHERE row = 2"
    ),
    Damage(
        "values of two rows swapped",
        "CREATE TEMP TABLE t AS SELECT row, secret FROM genp",
        """
        UPDATE genp SET secret = (SELECT secret FROM t WHERE t.row = 5 - genp.row)
            WHERE row IN (2, 3)
        """
    ),
]

@Suite struct `A damaged row` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .withThreeAccounts()
        keychain = fixture.keychain
    }

    private func execute(_ sql: [String]) throws {
        try fixture.inside { state throws(KeychainError) in
            for statement in sql { try state.vault.store.connection.execute(statement) }
        }
    }

    @Test(.requirement("STO-11"), arguments: damages)
    fileprivate func `counts as absent, and the others stay`(damage: Damage) throws {
        try execute(damage.sql)
        #expect(keychain.accounts(password(nil)) == ["after", "before"])
        #expect(keychain.read(password("ada")) == .notFound)
        #expect(keychain.update(password("ada"), "new") == .itemNotFound)
        #expect(keychain.read(password("before")) == .value("value of before"))
        #expect(keychain.read(password("after")) == .value("value of after"))
    }

    @Test(.requirement("STO-02", "STO-11"), arguments: secretDamages)
    fileprivate func `never gives a wrong value`(damage: Damage) throws {
        try execute(damage.sql)
        #expect(keychain.read(password("ada")) == .notFound)
        #expect(keychain.read(password("before")) == .value("value of before"))
        let after = keychain.read(password("after"))
        #expect(after == .value("value of after") || after == .notFound)
    }

    @Test func `is noticed and not deleted`() throws {
        try execute(["UPDATE genp SET metadata = x'00' WHERE row = 2"])
        _ = keychain.accounts(password(nil))
        #expect(
            fixture.findings.all.contains {
                $0.sentence.contains("skipped it and did not delete it")
            }
        )
        let count = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.count(.everything)
        }
        #expect(count == 3)
    }

    @Test func `makes room for a new item with its primary key`() throws {
        try execute(["UPDATE genp SET metadata = x'00' WHERE row = 2"])
        #expect(keychain.add(password("ada"), "new") == .success)
        #expect(keychain.read(password("ada")) == .value("new"))
        #expect(keychain.accounts(password(nil)) == ["ada", "after", "before"])
    }

    @Test func `does not open again with an earlier version of its value`() throws {
        try execute(["CREATE TEMP TABLE old AS SELECT secret FROM genp WHERE row = 2"])
        #expect(keychain.update(password("ada"), "new") == .success)
        try execute(["UPDATE genp SET secret = (SELECT secret FROM old) WHERE row = 2"])
        #expect(keychain.read(password("ada")) == .notFound)
    }

    @Test func `is the whole class when its metadata key is damaged`() throws {
        try execute(["UPDATE metadata_keys SET wrapped = zeroblob(40)"])
        try fixture.engine.lock()
        try fixture.unlock()
        #expect(keychain.read(password("ada")) == .notFound)
        #expect(keychain.add(password("new")) == .decode)
    }

    @Test func `is an access group whose name is damaged, and no more`() throws {
        try execute(["UPDATE access_groups SET name = x'00'"])
        #expect(keychain.read(password("ada")) == .value("value of ada"))
        #expect(keychain.add(password("another")) == .success)
    }
}
