import EngineTestSupport
import Glibc
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A private key of the hash, whose label is its owner's own unless it is left out.
func key(_ hash: [UInt8], label: [UInt8]?, tag: String = "") -> AttributeDictionary {
    var item: AttributeDictionary = .of(.key, [.type: .number(73)])
    item[.keyClass] = .number(1)
    item[.applicationLabel] = label.map(AttributeValue.data)
    item[.applicationTag] = .string(tag)
    item.publicKeyHash = hash
    return item
}

private let hash = [UInt8](repeating: 7, count: 20)
private let own = [UInt8]("my key".utf8)

@Suite struct `The column of public keys` {
    private func found(_ hash: [UInt8], in fixture: EngineFixture) -> [AttributeValues] {
        var query: AttributeDictionary = .of(.key)
        query.publicKeyHash = hash
        return fixture.keychain.attributes(query)
    }

    @Test(.requirement("CLS-25"))
    func `finds a key under either label, and shows nothing of itself`() throws {
        let fixture = try EngineFixture.unlocked()
        #expect(fixture.keychain.add(key(hash, label: own)) == .success)
        #expect(fixture.keychain.add(key(hash, label: nil)) == .success)
        #expect(fixture.keychain.add(key([1], label: hash, tag: "claims")) == .success)
        let labels = found(hash, in: fixture).map { $0[.applicationLabel] }
        #expect(labels == [.data(own), .data(hash)])
        #expect(found(hash, in: fixture).allSatisfy { $0[.publicKeyHash] == nil })
        #expect(found([1], in: fixture).map { $0[.applicationLabel] } == [.data(hash)])
        #expect(try fixture.faults() == [])
    }

    @Test func `is searched by its index`() throws {
        let fixture = try EngineFixture()
        var selection = Selection(itemClass: .key)
        selection.publicKeyHash = hash
        let wanted = selection
        let plan = try fixture.inside { state throws(KeychainError) in
            let filter = try state.vault.filter(for: wanted, in: .groups(EngineFixture.groups))
            let text = SearchShape(.key, filter.terms, .rows).text
            let statement = try state.vault.store.connection.prepare(
                "EXPLAIN QUERY PLAN " + text
            )
            var lines: [String] = []
            while try statement.step(on: state.vault.store.connection) {
                lines.append(String(decoding: statement.bytes(at: 3) ?? [], as: UTF8.self))
            }
            return lines.joined(separator: "; ")
        }
        #expect(plan.contains("i_keys_pkhh (d_pkhh=?)") && plan.contains("i_keys_klbl (d_klbl=?)"))
        #expect(!plan.contains("SCAN"), "\(plan)")
    }

    @Test(
        .requirement("STO-11"),
        arguments: [
            "d_pkhh = NULL", "d_pkhh = x''", "d_pkhh = zeroblob(16)", "d_pkhh = d_klbl",
            "d_pkhh = 'text'",
        ]
    )
    func `is part of what the row was sealed with`(change: String) throws {
        let fixture = try EngineFixture.unlocked()
        fixture.keychain.add(key(hash, label: own))
        try fixture.execute(["UPDATE keys SET \(change)"])
        #expect(fixture.keychain.attributes(.of(.key)) == [])
        #expect(try fixture.faults().count == 1)
    }

    @Test(.requirement("STO-11"), arguments: ["x''", "zeroblob(16)", "d_klbl"])
    func `is not added to a row that has none`(value: String) throws {
        let fixture = try EngineFixture.unlocked()
        fixture.keychain.add(key(hash, label: nil))
        try fixture.execute(["UPDATE keys SET d_pkhh = \(value)"])
        #expect(fixture.keychain.attributes(.of(.key)) == [])
        #expect(try fixture.faults().count == 1)
    }

    @Test func `is left by a tombstone, and comes back with the key`() throws {
        let fixture = try EngineFixture.unlocked()
        var item = key(hash, label: own)
        item[.synchronizable] = .bool(true)
        #expect(fixture.keychain.add(item) == .success)
        #expect(
            fixture.keychain.delete(.of(.key, [.synchronizable: .bool(true)])) == .success
        )
        #expect(try fixture.faults() == [])
        #expect(fixture.keychain.add(item) == .success)
        #expect(try fixture.faults() == [])
    }
}

@Suite struct `A keychain of version 5` {
    private let home: TestHome

    init() throws {
        home = try TestHome()
        let tests = String(#filePath.dropLast("Store/PublicKeyColumnTests.swift".count))
        try home.fill(from: tests + "Fixtures/version-5")
    }

    @Test(.requirement("OPS-08", "CLS-25"))
    func `keeps its identity and is taken over`() throws {
        let keychain = try home.open(["TEAM.app"])
        let engine = keychain.endpoint.engine
        #expect(
            try SQLiteConnection(opening: home.home.database).number("PRAGMA user_version")
                == StoreSchema.version
        )
        #expect(try engine.faults() == [])
        #expect(keychain.read(password()) == .value("value of ada"))
        let identities = keychain.attributes(.of(.identity))
        #expect(identities.map { $0[.applicationLabel] } == identities.map { $0[.publicKeyHash] })
        let identity = try #require(identities.first)
        guard case .data(let hash)? = identity[.publicKeyHash] else {
            Issue.record("the identity has no public key hash")
            return
        }
        // The same key once more, under a label of its owner's own.
        #expect(keychain.add(key(hash, label: own)) == .success)
        let labels = keychain.attributes(.of(.identity)).map { $0[.applicationLabel] }
        #expect(labels == [.data(hash), .data(own)])
        #expect(keychain.delete(.of(.identity)) == .success)
        #expect(keychain.attributes(.of(.key)) == [])
        #expect(try engine.faults() == [])
    }
}
