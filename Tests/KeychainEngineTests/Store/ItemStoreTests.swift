import EngineTestSupport
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
        for item in items { _ = try store.insert(item) }
        #expect(try store.rows(.everything, withSecrets: true).map(\.item) == items)
        let withoutSecrets = try store.rows(.everything, withSecrets: false)
        #expect(withoutSecrets.allSatisfy { $0.item.secret == nil })
    }

    @Test func `takes a primary key once`() throws {
        let store = try store()
        _ = try store.insert(item(1))
        var again = try item(2)
        again.columns.primaryKey = try item(1).columns.primaryKey
        expectRefusal(.duplicate) { _ = try store.insert(again) }
        #expect(try store.count(.everything) == 1)
    }

    @Test func `undoes a transaction as a whole`() throws {
        let store = try store()
        _ = try store.insert(item(1))
        try store.begin()
        _ = try store.insert(item(2))
        _ = try store.removeAll(in: .whenUnlocked)
        store.rollBack()
        #expect(try store.rows(.everything, withSecrets: true).map(\.item) == [item(1)])
    }

    @Test func `commits no change that the sum of the rows does not know of`() throws {
        let store = try store()
        try store.begin()
        let change = try store.insert(item(1))
        #expect(change.put?.row == 1 && change.taken == nil)
        expectRefusal(.backend(code: 0, reason: "rows were changed without their sum")) {
            try store.commit()
        }
        #expect(try store.count(.everything) == 0)
        try store.begin()
        _ = try store.insert(item(1))
        try store.replaceRowSum([1])
        try store.commit()
        #expect(try store.count(.everything) == 1 && store.rowSum() == [1])
    }

    @Test func `tells what a change took and what it put`() throws {
        let store = try store()
        let put = try #require(try store.insert(item(1)).put)
        var row = try #require(try store.rows(.everything, withSecrets: true).first)
        row.item = try item(2)
        let replaced = try store.replace(row)
        #expect(replaced.taken == put)
        #expect(replaced.put?.row == put.row && replaced.put?.binding == row.item.binding)
        let removed = try store.remove(row: row.row, of: .genericPassword)
        #expect(removed == RowChange(taken: replaced.put))
        #expect(try store.remove(row: row.row, of: .genericPassword) == RowChange())
        #expect(try store.replace(row) == RowChange())
    }

    /// What of an item may change: the value alone, an attribute without an index, one with.
    @Test(arguments: [nil, .comment, .label, .account] as [Attribute?])
    func `rewrites all of a row, whatever of it stays`(attribute: Attribute?) throws {
        let store = try store()
        for number in UInt8(1)...3 { _ = try store.insert(item(number)) }
        var changed = CipherFixture.item
        changed.attributes[.account] = .string("account 2")
        changed.reference = Array(repeating: 2, count: 16)
        if let attribute { changed.attributes[attribute] = .string("changed") }
        let sealed = try CipherFixture.sealed(changed, seed: 77)
        let row = try store.rows(.everything, withSecrets: true)[1].row
        _ = try store.replace(SealedRow(row: row, item: sealed))
        let items = try store.rows(.everything, withSecrets: true).map(\.item)
        #expect(items == [try item(1), sealed, try item(3)])
        #expect(try store.connection.number("PRAGMA integrity_check = 1") == 0)
    }

    private func writesIndexes(_ text: String, in store: borrowing ItemStore) throws -> Bool {
        let plan = try store.connection.prepare("EXPLAIN " + text)
        var found = false
        while try plan.step(on: store.connection) {
            let operation = plan.bytes(at: 1).map { String(decoding: $0, as: UTF8.self) }
            if ["IdxInsert", "IdxDelete"].contains(operation) { found = true }
        }
        return found
    }

    @Test(arguments: ItemClass.stored)
    func `writes no index for a row whose indexed columns stay`(itemClass: ItemClass) throws {
        let store = try store()
        let table = TableText.of(itemClass)
        #expect(try writesIndexes(table.updateInPlace, in: store) == false)
        #expect(try writesIndexes(table.update, in: store))
    }

    @Test func `removes a protection class with its key, and nothing else`() throws {
        let store = try store()
        var kept = CipherFixture.item
        kept.protection = .always
        kept.attributes[.account] = .string("kept")
        kept.reference = Array(repeating: 9, count: 16)
        let other = try CipherFixture.sealed(kept)
        _ = try store.insert(item(1))
        _ = try store.insert(other)
        try store.insertMetadataKey([1], of: .whenUnlocked)
        try store.insertMetadataKey([2], of: .always)
        _ = try store.removeAll(in: .whenUnlocked)
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
        _ = try store.insert(item(1))
        _ = try store.insert(item(2))
        // Constraints refuse some of these; the others have to be survived.
        try? store.connection.execute("UPDATE genp SET \(assignment) WHERE row = 1")
        let rows = try store.rows(.everything, withSecrets: true)
        #expect(try rows.last?.item == item(2))
    }
}
