import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// Something that writes rows of a keychain, whose passcode is set and who is unlocked.
private struct Act: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let run: @Sendable (EngineFixture) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (EngineFixture) throws -> Void) {
        testDescription = name
        self.run = run
    }

    private static func status(
        _ name: String,
        _ expected: SecurityStatus = .success,
        _ call: @escaping @Sendable (TestKeychain) -> SecurityStatus
    ) -> Act {
        Act(name) { #expect(call($0.keychain) == expected) }
    }

    private static let synced = password("synced", [.synchronizable: .bool(true)])
    private static let gated = password(
        "gated",
        [.accessible: .string(.whenPasscodeSetThisDeviceOnly)]
    )

    /// In this order; each leaves the keychain to the next.
    static let all = [
        status("an add") { $0.add(password("new")) },
        status("an add that is refused", .duplicateItem) { $0.add(password("new")) },
        status("an add of another class") { $0.add(.of(.internetPassword)) },
        status("an update") { $0.update(password("ada"), "another") },
        status("an update of all") {
            $0.status(.update(password(nil), with: [.comment: .string("theirs")]))
        },
        status("an update that is refused", .itemNotFound) { $0.update(password("nobody"), "") },
        status("another group") {
            $0.status(.update(password("bob"), with: [.accessGroup: .string("TEAM.shared")]))
        },
        status("a delete") { $0.delete(password("new")) },
        status("an add of a synchronizable item") { $0.add(synced) },
        status("another group, which leaves a tombstone") {
            $0.status(.update(synced, with: [.accessGroup: .string("TEAM.shared")]))
        },
        status("a delete that leaves a tombstone") { $0.delete(synced) },
        status("an add over a tombstone") { $0.add(synced) },
        status("an item of a passcode") { $0.add(gated) },
        Act("an add to what was locked") { fixture in
            try fixture.engine.lock()
            #expect(fixture.keychain.add(password("late")) == .interactionNotAllowed)
            #expect(fixture.keychain.delete(password("ada")) == .success)
            try fixture.unlock()
        },
        Act("a passcode changed") { fixture in
            let old = EngineFixture.secret(EngineFixture.passcode)
            try fixture.engine.setPasscode(EngineFixture.secret("5678"), current: old)
        },
        Act("a passcode removed, and its items") { fixture in
            try fixture.engine.removePasscode(current: EngineFixture.secret("5678"))
            #expect(fixture.keychain.read(gated) == .notFound)
        },
        Act("a passcode set") { fixture in
            try fixture.engine.setPasscode(EngineFixture.secret("1234"), current: nil)
        },
        Act("a backup restored") { fixture in
            let keychain = fixture.keychain
            var backup: [UInt8] = []
            let password = EngineFixture.secret("tape")
            _ = try fixture.engine.backup(password: password, to: { backup += $0 })
            #expect(keychain.add(.of(.genericPassword, [.service: .string("x")])) == .success)
            #expect(keychain.delete(.of(.genericPassword)) == .success)
            _ = try fixture.engine.restore(password: password) { count in
                defer { backup.removeFirst(min(count, backup.count)) }
                return Array(backup.prefix(count))
            }
        },
        Act("a factory reset") { try $0.engine.erase() },
        status("an add after it") { $0.add(password()) },
    ]
}

/// Rows that somebody changed with SQLite, and what a check says: how many there are, and how many
/// there should be.
private struct Tampering: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sql: [String]
    let found: Int
    let written: Int?

    init(_ name: String, _ sql: String..., found: Int, written: Int?) {
        testDescription = name
        self.sql = sql
        self.found = found
        self.written = written
    }

    /// The keychain has had three rows; then the first was updated and the third deleted.
    static let all = [
        Tampering(
            "an old row for the new",
            "INSERT OR REPLACE INTO genp SELECT * FROM temp.old WHERE row = 1",
            found: 2,
            written: 2
        ),
        Tampering(
            "a deleted row",
            "INSERT INTO genp SELECT * FROM temp.old WHERE row = 3",
            found: 3,
            written: 2
        ),
        Tampering("a row taken away", "DELETE FROM genp WHERE row = 2", found: 1, written: 2),
        Tampering("every row taken away", "DELETE FROM genp", found: 0, written: 2),
        Tampering(
            "one row put back, another taken away",
            "INSERT INTO genp SELECT * FROM temp.old WHERE row = 3",
            "DELETE FROM genp WHERE row = 2",
            found: 2,
            written: 2
        ),
        Tampering("another number", "UPDATE genp SET row = 9 WHERE row = 1", found: 2, written: 2),
        Tampering(
            "the sum of before",
            "UPDATE row_sum SET sealed = (SELECT sealed FROM temp.oldsum)",
            found: 2,
            written: 3
        ),
        Tampering("no sum", "DELETE FROM row_sum", found: 2, written: 0),
        Tampering(
            "a changed sum",
            "UPDATE row_sum SET sealed = zeroblob(69)",
            found: 2,
            written: nil
        ),
        Tampering("an empty sum", "UPDATE row_sum SET sealed = ''", found: 2, written: nil),
    ]

    var fault: CheckFault { .rowSum(found: found, written: written) }
}

@Suite struct `The sum of the rows` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .unlocked()
        keychain = fixture.keychain
        for account in ["ada", "bob", "cyd"] {
            #expect(keychain.add(password(account), "old") == .success)
        }
    }

    /// Copies the rows and their sum; then the first item is updated, and the third deleted.
    private func moveOn() throws {
        try fixture.execute([
            "CREATE TEMP TABLE old AS SELECT * FROM genp",
            "CREATE TEMP TABLE oldsum AS SELECT * FROM row_sum",
        ])
        #expect(keychain.update(password("ada"), "new") == .success)
        #expect(keychain.delete(password("cyd")) == .success)
        #expect(try fixture.faults() == [])
    }

    @Test func `is right after every write, whatever came before`() throws {
        for act in Act.all {
            try act.run(fixture)
            #expect(try fixture.faults() == [], "\(act.testDescription)")
        }
    }

    @Test(arguments: Tampering.all)
    fileprivate func `tells of rows that were put back or taken away, in every lock state`(
        tampering: Tampering
    ) throws {
        try moveOn()
        try fixture.execute(tampering.sql)
        #expect(try fixture.faults() == [tampering.fault])
        try fixture.engine.lock()
        #expect(try fixture.faults() == [tampering.fault])
    }

    @Test func `tells of a row that was put back, also where a planted index lacks it`() throws {
        try moveOn()
        try fixture.execute([
            "INSERT INTO genp SELECT * FROM temp.old WHERE row = 3",
            "CREATE INDEX theirs ON genp (metadata) WHERE row <> 3",
        ])
        let planted = CheckFault.database("the index `theirs` does not belong to the keychain")
        #expect(try fixture.faults() == [planted, .rowSum(found: 3, written: 2)])
    }

    @Test(arguments: Tampering.all)
    fileprivate func `goes on telling after later writes, which are done all the same`(
        tampering: Tampering
    ) throws {
        try moveOn()
        try fixture.execute(tampering.sql)
        #expect(keychain.add(password("dan"), "late") == .success)
        #expect(keychain.add(password("eve")) == .success)
        #expect(keychain.update(password("dan"), "later") == .success)
        #expect(keychain.delete(password("eve")) == .success)
        #expect(keychain.read(password("dan")) == .value("later"))
        let written = tampering.written.map { $0 + 1 }
        #expect(
            try fixture.faults() == [.rowSum(found: tampering.found + 1, written: written)]
        )
    }

    @Test(arguments: Tampering.all)
    fileprivate func `takes the rows that are there once a person accepts them, and tells again`(
        tampering: Tampering
    ) throws {
        try moveOn()
        try fixture.execute(tampering.sql)
        #expect(try fixture.engine.acceptRows() == tampering.found)
        #expect(try fixture.faults() == [])
        #expect(keychain.add(password("dan")) == .success)
        #expect(try fixture.faults() == [])
        try fixture.execute(["DELETE FROM genp WHERE row = (SELECT MAX(row) FROM genp)"])
        let written = tampering.found + 1
        #expect(
            try fixture.faults() == [.rowSum(found: tampering.found, written: written)]
        )
    }

    @Test func `is not looked at by a search, which takes an old row for what it was`() throws {
        try moveOn()
        try fixture.execute(["INSERT OR REPLACE INTO genp SELECT * FROM temp.old"])
        #expect(keychain.read(password("ada")) == .value("old"))
        #expect(keychain.read(password("cyd")) == .value("old"))
    }

    @Test func `counts rows whose columns make no sense`() throws {
        try fixture.execute(["UPDATE genp SET pdmn = 99 WHERE row = 1"])
        let faults = try fixture.faults()
        #expect(faults == [.row(UnreadableRow(.genericPassword, row: 1, .columns))])
    }

    @Test func `stays what it was when a call fails half-way`() throws {
        let before = try storedSum()
        #expect(throws: KeychainError.self) {
            try fixture.inside { state throws(KeychainError) in
                try state.vault.inTransaction(&state.session) { vault, _ throws(KeychainError) in
                    let row = RowMark(itemClass: .key, row: 1, binding: [])
                    try vault.note(RowChange(put: row))
                    throw KeychainError(.io, "test")
                }
            }
        }
        #expect(keychain.read(password("nobody")) == .notFound)
        #expect(try storedSum() == before)
        #expect(keychain.add(password("dan")) == .success)
        #expect(try fixture.faults() == [])
    }

    private func storedSum() throws -> [UInt8]? {
        try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rowSum()
        }
    }

    @Test func `is another after every write, and shows nothing of what was done`() throws {
        let before = try #require(try storedSum())
        #expect(keychain.add(password("dan")) == .success)
        #expect(keychain.delete(password("dan")) == .success)
        let after = try #require(try storedSum())
        #expect(before.count == after.count && before != after)
    }
}
