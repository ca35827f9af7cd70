import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The store` {
    private func store() throws -> ItemStore { try ItemStore(opening: nil) }

    private func item(_ number: UInt8) throws -> SealedItem {
        var item = CipherFixture.item
        item.attributes[.account] = .string("account \(number)")
        item.reference = Array(repeating: number, count: 16)
        return try CipherFixture.sealed(item, seed: UInt64(number))
    }

    @Test func `hands rows back as they came, in the order in which they came`() throws {
        let store = try store()
        let items = try [item(3), item(1), item(2)]
        for item in items { try store.insert(item) }
        #expect(try store.rows(.everything, withSecrets: true).map(\.item) == items)
        let withoutSecrets = try store.rows(.everything, withSecrets: false)
        #expect(withoutSecrets.allSatisfy { $0.item.secret == nil })
    }

    @Test func `takes a primary key once`() throws {
        let store = try store()
        try store.insert(item(1))
        var again = try item(2)
        again.columns.primaryKey = try item(1).columns.primaryKey
        #expect(throws: StoreError.duplicate) { try store.insert(again) }
        #expect(try store.count(.everything) == 1)
    }

    @Test func `undoes a transaction as a whole`() throws {
        let store = try store()
        try store.insert(item(1))
        try store.begin()
        try store.insert(item(2))
        try store.removeAll(in: .whenUnlocked)
        store.rollBack()
        #expect(try store.rows(.everything, withSecrets: true).map(\.item) == [item(1)])
    }

    @Test func `removes a protection class with its key, and nothing else`() throws {
        let store = try store()
        var kept = CipherFixture.item
        kept.protection = .always
        kept.attributes[.account] = .string("kept")
        kept.reference = Array(repeating: 9, count: 16)
        let other = try CipherFixture.sealed(kept)
        try store.insert(item(1))
        try store.insert(other)
        try store.insertMetadataKey([1], of: .whenUnlocked)
        try store.insertMetadataKey([2], of: .always)
        try store.removeAll(in: .whenUnlocked)
        #expect(try store.rows(.everything, withSecrets: true).map(\.item) == [other])
        #expect(try store.metadataKey(of: .whenUnlocked) == nil)
        #expect(try store.metadataKey(of: .always) == [2])
    }

    @Test(arguments: [
        "pdmn = 0", "pdmn = 13", "pdmn = -1", "pdmn = 300", "pdmn = 'ak'", "pkey = NULL",
        "metadata = 7", "pref = 'text'",
    ])
    func `never trips over a row whose columns make no sense`(assignment: String) throws {
        let store = try store()
        try store.insert(item(1))
        try store.insert(item(2))
        // Constraints refuse some of these; the others have to be survived.
        try? store.connection.execute("UPDATE genp SET \(assignment) WHERE row = 1")
        let rows = try store.rows(.everything, withSecrets: true)
        #expect(try rows.last?.item == item(2))
    }
}
