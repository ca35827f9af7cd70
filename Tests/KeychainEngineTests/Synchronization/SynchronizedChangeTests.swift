import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `What another device changed` {
    private let keychain: SyncedKeychain
    private let program: TestKeychain

    init() throws {
        keychain = try SyncedKeychain()
        program = keychain.fixture.keychain
    }

    private func reference(_ account: String) -> AttributeValue? {
        var query = synced(account)
        query[.returnPersistentReference] = .bool(true)
        let reply = try? program.endpoint.send(.copyMatching(query))
        guard case .result(.persistentReference(let reference))? = reply else { return nil }
        return .data(reference)
    }

    private func finds(_ reference: AttributeValue) -> Bool {
        program.status(.copyMatching([.valuePersistentReference: reference])) == .success
    }

    @Test func `is there for programs, with its dates and its group`() throws {
        let item = try SyncedItem.password("ada", "from afar", group: "TEAM.shared")
        try keychain.apply(item)
        #expect(program.read(synced("ada")) == .value("from afar"))
        #expect(program.read(password("ada")) == .notFound)
        let attributes = try #require(program.attributes(synced("ada")).first)
        #expect(attributes[.creationDate] == .date(700_000_000))
        #expect(attributes[.modificationDate] == .date(762_000_000))
        #expect(attributes[.accessGroup] == .string("TEAM.shared"))
        let report = try keychain.fixture.engine.check()
        #expect(report.groupCounts == ["TEAM.shared": 1])
        #expect(report.faultCount == 0)
    }

    @Test func `takes the place of what it replaces, and has another reference`() throws {
        #expect(program.add(synced("ada"), "mine") == .success)
        let before = try #require(reference("ada"))
        let mine = try #require(try keychain.read().first)
        try keychain.apply(.password("ada", "theirs", replaces: mine))
        #expect(program.read(synced("ada")) == .value("theirs"))
        #expect(!finds(before))
        #expect(finds(try #require(reference("ada"))))
        #expect(program.attributes(synced(nil)).count == 1)
        #expect(try keychain.fixture.engine.faults() == [])
    }

    @Test func `may be a deletion, and an item after it`() throws {
        let item = try SyncedItem.password("ada", "1")
        let tombstone = try SyncedItem.password("ada", nil, at: 762_000_001, replaces: item)
        try keychain.apply(item)
        try keychain.apply(tombstone)
        #expect(program.read(synced("ada")) == .notFound)
        #expect(try keychain.read().map(\.digest) == [tombstone.digest])
        try keychain.apply(.password("ada", "2", at: 762_000_002, replaces: tombstone))
        #expect(program.read(synced("ada")) == .value("2"))
        // A deletion of what was never here stays as well.
        let stranger = try SyncedItem.password("grace", nil)
        try keychain.apply(stranger)
        #expect(try keychain.read().map(\.isTombstone) == [false, true])
        #expect(program.add(synced("grace"), "again") == .success)
        #expect(try keychain.fixture.engine.faults() == [])
    }

    @Test func `is left alone where something else is by now`() throws {
        #expect(program.add(synced("ada"), "mine") == .success)
        let seen = try #require(try keychain.read().first)
        keychain.fixture.clock.advance(seconds: 1)
        #expect(program.update(synced("ada"), "mine, later") == .success)
        let mark = try keychain.mark()
        let other = try SyncedItem.password("grace", "good")
        let late = try SyncedItem.password("ada", "theirs", replaces: seen)
        let new = try SyncedItem.password("ada", "theirs")
        let gone = try SyncedItem.password("alan", "theirs", replaces: seen)
        let record = SyncRecord(key: [1], value: [2])
        #expect(try keychain.conflicts(other, late, keeping: [record]) == [late.name])
        #expect(try keychain.conflicts(new, gone) == [new.name, gone.name])
        #expect(try keychain.mark() == mark)
        #expect(try keychain.endpoint.synchronizationRecords() == [])
        #expect(program.read(synced("ada")) == .value("mine, later"))
        #expect(program.read(synced("grace")) == .notFound)
        #expect(try keychain.fixture.engine.faults() == [])
    }

    @Test func `is not written twice`() throws {
        let item = try SyncedItem.password("ada", "1")
        let first = try keychain.apply(item)
        let reference = reference("ada")
        let second = try keychain.apply(item)
        #expect(second.appliedCount == 1)
        #expect(second.markBefore == first.mark && second.mark == first.mark)
        #expect(self.reference("ada") == reference)
    }

    @Test func `moves the mark, as what programs change does`() throws {
        var marks = [try keychain.mark()]
        #expect(program.add(password("local")) == .success)
        marks.append(try keychain.mark())
        let outcome = try keychain.apply(.password("ada", "1"))
        #expect(outcome.markBefore == marks[1])
        marks.append(outcome.mark)
        #expect(try keychain.mark() == outcome.mark)
        #expect(program.update(synced("ada"), "2") == .success)
        marks.append(try keychain.mark())
        #expect(program.delete(synced("ada")) == .success)
        marks.append(try keychain.mark())
        // Also where the sum of the rows does not open any more.
        try keychain.fixture.execute(["UPDATE row_sum SET sealed = x'01'"])
        marks.append(try keychain.mark())
        #expect(program.delete(password("local")) == .success)
        marks.append(try keychain.mark())
        #expect(Set(marks).count == 6, "only the damage to the sum changed no row")
        #expect(marks[4] == marks[5])
    }
}
