import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// Something that is wrong with a keychain of two passwords, and what a check calls it.
private struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sql: [String]
    /// Whether the row is no longer the one that was written.
    var changesBinding = false
    let isFound: @Sendable (CheckFault) -> Bool

    init(
        _ name: String,
        _ sql: String...,
        changesBinding: Bool = false,
        isFound: @escaping @Sendable (CheckFault) -> Bool
    ) {
        testDescription = name
        self.sql = sql
        self.changesBinding = changesBinding
        self.isFound = isFound
    }

    private static func row(
        _ part: UnreadableRow.Part,
        _ attributes: AttributeValues = [:]
    ) -> @Sendable (CheckFault) -> Bool {
        { fault in
            guard case .row(let row) = fault, row.part == part, row.row == 1,
                row.itemClass == .genericPassword
            else { return false }
            return attributes.allSatisfy { row.attributes[$0.key] == $0.value }
        }
    }

    static let all = [
        Fault(
            "a value",
            "UPDATE genp SET secret = zeroblob(99) WHERE row = 1",
            isFound: row(.value, [.account: .string("ada"), .accessGroup: .string("TEAM.app")])
        ),
        Fault(
            "no value",
            "UPDATE genp SET secret = NULL WHERE row = 1",
            isFound: row(.value, [.account: .string("ada")])
        ),
        Fault(
            "attributes",
            "UPDATE genp SET metadata = zeroblob(99) WHERE row = 1",
            changesBinding: true,
            isFound: row(.attributes, [.accessGroup: .string("TEAM.app")])
        ),
        Fault(
            "an unknown class",
            "UPDATE genp SET pdmn = 99 WHERE row = 1",
            isFound: row(.columns)
        ),
        Fault(
            "another row's halves",
            """
            UPDATE genp SET metadata = (SELECT metadata FROM genp WHERE row = 2),
                secret = (SELECT secret FROM genp WHERE row = 2) WHERE row = 1
            """,
            changesBinding: true,
            isFound: row(.attributes)
        ),
        Fault(
            "the name of a group",
            "UPDATE access_groups SET name = zeroblob(40)",
            isFound: { if case .groupName = $0 { true } else { false } }
        ),
        Fault(
            "a row that its table's rule forbids",
            "PRAGMA ignore_check_constraints = ON",
            "INSERT INTO row_sum (id, sealed) VALUES (2, '')",
            "PRAGMA ignore_check_constraints = OFF",
            isFound: { if case .database = $0 { true } else { false } }
        ),
        Fault(
            "a trigger",
            "CREATE TRIGGER keep AFTER DELETE ON genp BEGIN DELETE FROM row_sum; END",
            isFound: { $0 == .database("the trigger `keep` does not belong to the keychain") }
        ),
    ]
}

@Suite struct `A check` {
    private let fixture: EngineFixture

    init() throws {
        fixture = try .unlocked()
        for account in ["ada", "bob"] {
            #expect(fixture.keychain.add(password(account)) == .success)
        }
    }

    private func check(
        _ extent: CheckExtent = .everything
    ) throws -> (report: CheckReport, faults: [CheckFault], steps: [Int]) {
        var faults: [CheckFault] = []
        var steps: [Int] = []
        let report = try fixture.engine.check(
            extent,
            naming: { faults.append($0) },
            progress: { steps.append($0) }
        )
        return (report, faults, steps)
    }

    @Test(.requirement("STO-11"))
    func `counts no item that was deleted, whose tombstone is a row all the same`() throws {
        let synced = password("gone", [.synchronizable: .bool(true)])
        #expect(fixture.keychain.add(synced) == .success)
        #expect(fixture.keychain.delete(synced) == .success)
        let (report, faults, _) = try check()
        #expect(report.soundCounts == [.genericPassword: 2])
        #expect(report.tombstoneCount == 1 && report.rowCount == 3)
        #expect(faults == [])
    }

    @Test func `counts what is sound, row by row`() throws {
        fixture.keychain.add(.of(.internetPassword, [.server: .string("host")]))
        let (report, faults, steps) = try check()
        #expect(report.soundCounts == [.genericPassword: 2, .internetPassword: 1])
        #expect(report.rowCount == 3 && report.faultCount == 0)
        #expect(faults == [])
        #expect(steps == [1, 2, 3])
    }

    @Test(.requirement("STO-11"), arguments: Fault.all)
    fileprivate func `names what is not as it was stored, and changes nothing`(
        fault: Fault
    ) throws {
        try fixture.execute(fault.sql)
        let before = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rows(.everything, withSecrets: true)
        }
        let (report, faults, _) = try check()
        #expect(report.faultCount == faults.count)
        let sum = CheckFault.rowSum(found: 2, written: 2)
        #expect(faults.contains(sum) == fault.changesBinding, "\(faults)")
        let named = faults.filter { $0 != sum }
        #expect(!named.isEmpty && named.allSatisfy(fault.isFound), "\(faults)")
        let after = try fixture.inside { state throws(KeychainError) in
            try state.vault.store.rows(.everything, withSecrets: true)
        }
        #expect(after == before)
        #expect(fixture.keychain.read(password("bob")) == .value("open sesame"))
    }

    @Test func `finds the damaged key of a class once, and every row behind it`() throws {
        try fixture.execute(["UPDATE metadata_keys SET wrapped = zeroblob(40)"])
        try fixture.engine.lock()
        try fixture.unlock()
        let (report, faults, _) = try check()
        #expect(faults.contains(.metadataKey(.whenUnlocked)))
        #expect(report.unreadableCount == 2 && report.faultCount == 3)
    }

    @Test func `leaves rows of a closed class unverified, and says so`() throws {
        fixture.keychain.add(password("always", [.accessible: .string(.always)]))
        try fixture.engine.lock()
        let (report, faults, _) = try check()
        #expect(report.lockedCount == 2 && report.soundCount == 1)
        #expect(faults == [])
    }

    @Test func `counts a sound tombstone apart`() throws {
        let item = password("synced", [.synchronizable: .bool(true)])
        #expect(fixture.keychain.add(item) == .success)
        #expect(fixture.keychain.delete(item) == .success)
        let (report, faults, _) = try check()
        #expect(report.soundCount == 2 && report.tombstoneCount == 1 && faults == [])
    }

    @Test func `of the database alone looks at no row`() throws {
        try fixture.execute(["UPDATE genp SET secret = zeroblob(99) WHERE row = 1"])
        let (report, faults, steps) = try check(.database)
        #expect(faults == [] && steps == [] && report.rowCount == 0)
    }
}
