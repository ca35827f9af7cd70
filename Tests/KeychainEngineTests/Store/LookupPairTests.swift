import EngineTestSupport
import Foundation
import KeychainHost
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

private let schema = ["xdg:schema": "org.example.Password"]
private let ada = ["xdg:schema": "org.example.Password", "user": "ada", "server": "example.com"]
private let ben = ["xdg:schema": "org.example.Password", "user": "ben", "server": "example.com"]
private let note = ["xdg:schema": "org.example.Note", "user": "ada"]

@Suite struct `A search by pairs` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    /// Has "ada", "ben" and "note" with pairs, and "plain" without.
    init() throws {
        fixture = try .unlocked()
        keychain = fixture.keychain
        for (account, pairs) in [("ada", ada), ("ben", ben), ("note", note)] {
            #expect(keychain.add(try paired(account, pairs)) == .success)
        }
        #expect(keychain.add(password("plain")) == .success)
    }

    @Test(
        arguments: [
            (schema, ["ada", "ben"]), (["user": "ada"], ["ada", "note"]), (ada, ["ada"]),
            (["user": "ada", "xdg:schema": "org.example.Note"], ["note"]),
            (["user": "cyd"], []), (["user": ""], []), (["User": "ada"], []),
            (["user": "ada", "other": "x"], []), (["ada": "user"], []),
            ([:], ["ada", "ben", "note", "plain"]),
        ]
    )
    func `finds the items that have all of them`(
        wanted: [String: String],
        expected: [String]
    ) throws {
        #expect(keychain.accounts(try paired(nil, wanted)) == expected)
        let query = try paired(nil, wanted, [.returnAttributes: .bool(true)])
        guard case .listing(let listing) = try keychain.endpoint.send(.list(query)) else {
            Issue.record("no listing")
            return
        }
        #expect(listing.items.count == expected.count && listing.outOfReach.isEmpty)
    }

    @Test func `returns the pairs of an item as they were given`() throws {
        let found = keychain.attributes(try paired(nil, ada))
        #expect(found.map(\.pairs) == [ada])
        #expect(keychain.attributes(password("plain")).map(\.pairs) == [nil])
    }

    @Test func `returns values, and the first match alone if one is wanted`() throws {
        #expect(keychain.read(try paired(nil, ben)) == .value("open sesame"))
        #expect(keychain.read(try paired(nil, ["user": "cyd"])) == .notFound)
        #expect(keychain.read(try paired("ada", schema)) == .value("open sesame"))
        #expect(keychain.read(try paired("ada", ben)) == .notFound)
    }

    @Test(
        arguments: [
            ([.label: .string("work")], ["ben"]),
            ([.account: .string("ben")], ["ben"]),
            ([.service: .string("mail")], ["ada", "ben"]),
            ([.service: .string("mail"), .account: .string("ada")], ["ada"]),
            ([.service: .string("mail"), .account: .string("note")], []),
            ([.accessGroup: .string("TEAM.app")], ["ada", "ben"]),
            ([.accessGroup: .string("TEAM.shared")], []),
            ([.synchronizable: .string(.synchronizableAny)], ["ada", "ben"]),
            ([.synchronizable: .bool(true)], []),
            ([.accessible: .string(.whenUnlocked)], ["ada", "ben"]),
            ([.accessible: .string(.afterFirstUnlock)], []),
        ] as [([String: AttributeValue], [String])]
    )
    func `finds those that also have the other attributes`(
        more: [String: AttributeValue],
        expected: [String]
    ) throws {
        let label: AttributeDictionary = [Attribute.label.rawValue: .string("work")]
        #expect(keychain.status(.update(password("ben"), with: label)) == .success)
        #expect(keychain.accounts(try paired(nil, schema, more)) == expected)
    }

    @Test func `is one within each of the caller's groups, in the order of adding`() throws {
        let shared: [String: AttributeValue] = [.accessGroup: .string("TEAM.shared")]
        #expect(keychain.add(try paired("cyd", ada, shared)) == .success)
        #expect(keychain.add(try paired("dan", ada)) == .success)
        let accounts = keychain.attributes(try paired(nil, ada)).map { $0[.account] }
        #expect(accounts == [.string("ada"), .string("cyd"), .string("dan")])
        #expect(keychain.accounts(try paired(nil, ada, shared)) == ["cyd"])
    }

    @Test func `finds nothing of another program`() throws {
        let caller = TestKeychain.caller(["TEAM.other"])
        let other = TestKeychain(
            EngineEndpoint(engine: fixture.engine, caller: caller, note: { _ in })
        )
        #expect(other.accounts(try paired(nil, schema)) == [])
        #expect(other.delete(try paired(nil, schema)) == .itemNotFound)
        #expect(other.add(try paired("eve", ada)) == .success)
        #expect(keychain.accounts(try paired(nil, ada)) == ["ada"])
        #expect(other.accounts(try paired(nil, ada)) == ["eve"])
    }

    @Test(arguments: ["TEAM.*", "*"])
    func `reaches the groups of a wildcard`(group: String) throws {
        let shared: [String: AttributeValue] = [.accessGroup: .string("TEAM.shared")]
        #expect(keychain.add(try paired("cyd", ada, shared)) == .success)
        let all = TestKeychain(
            EngineEndpoint(
                engine: fixture.engine,
                caller: TestKeychain.caller([group]),
                note: { _ in }
            )
        )
        #expect(all.accounts(try paired(nil, ada)) == keychain.accounts(try paired(nil, ada)))
    }

    @Test func `is refused while the items are closed`() throws {
        try fixture.engine.lock()
        #expect(keychain.read(try paired(nil, ada)) == .notAllowed)
        #expect(keychain.read(try paired(nil, ["user": "cyd"])) == .notFound)
    }

    @Test func `together with a persistent reference confirms the pairs`() throws {
        var query = try paired(nil, ada)
        query[.returnPersistentReference] = .bool(true)
        let found = try keychain.endpoint.send(.copyMatching(query))
        guard case .result(.persistentReference(let reference)) = found else {
            Issue.record("no reference")
            return
        }
        let named = AttributeDictionary.named(.genericPassword, reference)
        var wrong = named
        wrong[.lookupPairs] = .data(try LookupPairs(ben).encoded)
        #expect(keychain.delete(wrong) == .itemNotFound)
        var right = named
        right[.lookupPairs] = .data(try LookupPairs(schema).encoded)
        #expect(keychain.delete(right) == .success)
        #expect(keychain.accounts(try paired(nil, schema)) == ["ben"])
    }
}

@Suite struct `The pairs of a stored item` {
    private let fixture: EngineFixture
    private let keychain: TestKeychain

    init() throws {
        fixture = try .unlocked()
        keychain = fixture.keychain
        #expect(keychain.add(try paired("ada", ada)) == .success)
        #expect(keychain.add(try paired("ben", ben)) == .success)
    }

    private func pairs(_ pairs: [String: String]) throws -> AttributeDictionary {
        [Attribute.lookupPairs.rawValue: .data(try LookupPairs(pairs).encoded)]
    }

    @Test(arguments: [note, [:], ben, ["user": "ada"]])
    func `are replaced by an update`(new: [String: String]) throws {
        #expect(keychain.status(.update(password("ada"), with: try pairs(new))) == .success)
        #expect(keychain.attributes(password("ada")).map(\.pairs) == [new])
        let found = keychain.accounts(try paired(nil, ["user": "ada", "server": "example.com"]))
        #expect(found == [])
        #expect(keychain.accounts(try paired("ada", new)) == ["ada"])
        #expect(try fixture.pairCount() == Int64(ben.count + new.count))
        #expect(try fixture.faults() == [])
    }

    @Test func `stay with an update of anything else, which may find the item by them`() throws {
        #expect(keychain.update(try paired(nil, ada), "new") == .success)
        #expect(keychain.read(try paired(nil, ada)) == .value("new"))
        #expect(keychain.read(try paired(nil, ben)) == .value("open sesame"))
        let moved: AttributeDictionary = [
            Attribute.accessGroup.rawValue: .string("TEAM.shared"),
            Attribute.accessible.rawValue: .string(.afterFirstUnlock),
        ]
        #expect(keychain.status(.update(try paired(nil, ada), with: moved)) == .success)
        let shared: [String: AttributeValue] = [.accessGroup: .string("TEAM.shared")]
        #expect(keychain.accounts(try paired(nil, ada, shared)) == ["ada"])
        #expect(try fixture.faults() == [])
    }

    @Test func `leave no digest once the item is deleted by them`() throws {
        #expect(keychain.delete(try paired(nil, ["user": "ada"])) == .success)
        #expect(keychain.accounts(password(nil)) == ["ben"])
        #expect(try fixture.pairCount() == Int64(ben.count))
        #expect(keychain.delete(try paired(nil, schema)) == .success)
        #expect(try fixture.pairCount() == 0)
        #expect(try fixture.faults() == [])
    }

    @Test func `let a closed item be deleted`() throws {
        try fixture.engine.lock()
        #expect(keychain.delete(try paired(nil, ada)) == .success)
        try fixture.unlock()
        #expect(keychain.accounts(password(nil)) == ["ben"])
        #expect(try fixture.strayPairCount() == 0)
    }

    @Test func `are not left to a tombstone, and come back with the item`() throws {
        let synced: [String: AttributeValue] = [.synchronizable: .bool(true)]
        #expect(keychain.add(try paired("cyd", note, synced)) == .success)
        #expect(keychain.delete(try paired(nil, note, synced)) == .success)
        #expect(try fixture.strayPairCount() == 0)
        #expect(keychain.read(try paired(nil, note, synced)) == .notFound)
        #expect(keychain.add(try paired("cyd", ada, synced)) == .success)
        #expect(keychain.accounts(try paired(nil, ada, synced)) == ["cyd"])
        #expect(try fixture.faults() == [])
    }

    @Test func `go with the items of a passcode that is removed`() throws {
        let bound: [String: AttributeValue] = [
            .accessible: .string(.whenPasscodeSetThisDeviceOnly)
        ]
        #expect(keychain.add(try paired("bound", ada, bound)) == .success)
        try fixture.engine.removePasscode(current: EngineFixture.secret(EngineFixture.passcode))
        #expect(keychain.accounts(try paired(nil, ada)) == ["ada"])
        #expect(try fixture.strayPairCount() == 0)
        #expect(try fixture.faults() == [])
    }

    @Test func `are found as before after the passcode changed`() throws {
        let old = EngineFixture.secret(EngineFixture.passcode)
        try fixture.engine.setPasscode(EngineFixture.secret("5678"), current: old)
        #expect(keychain.accounts(try paired(nil, ada)) == ["ada"])
        #expect(try fixture.faults() == [])
    }

    @Test func `are gone after a factory reset`() throws {
        try fixture.engine.erase()
        #expect(try fixture.pairCount() == 0)
    }

    @Test func `come back from a backup`() throws {
        var backup: [UInt8] = []
        let tape = EngineFixture.secret("tape")
        _ = try fixture.engine.backup(password: tape, to: { backup += $0 })
        let other = try EngineFixture.unlocked()
        _ = try other.engine.restore(password: tape) { count in
            defer { backup.removeFirst(min(count, backup.count)) }
            return Array(backup.prefix(count))
        }
        #expect(other.keychain.accounts(try paired(nil, ada)) == ["ada"])
        #expect(other.keychain.attributes(try paired(nil, ada)).map(\.pairs) == [ada])
        #expect(try other.faults() == [])
    }

    @Test func `are written with the item or not at all`() throws {
        let before = try fixture.pairCount()
        let value: [String: AttributeValue] = [.valueData: .data([1])]
        let items = [try paired("eve", note, value), try paired("ada", note, value)]
        let status = keychain.status(.addAll(items, duplicates: .refused))
        #expect(status == .duplicateItem)
        #expect(keychain.accounts(try paired(nil, note)) == [])
        #expect(try fixture.pairCount() == before)
        // Of two items that match, the second has no room where the first goes.
        let shared: [String: AttributeValue] = [.accessGroup: .string("TEAM.shared")]
        #expect(keychain.add(try paired("ben", note, shared)) == .success)
        let moving: AttributeDictionary = [
            Attribute.accessGroup.rawValue: .string("TEAM.shared"),
            Attribute.lookupPairs.rawValue: .data([]),
        ]
        let local: [String: AttributeValue] = [.accessGroup: .string("TEAM.app")]
        let query = try paired(nil, ["server": "example.com"], local)
        #expect(keychain.status(.update(query, with: moving)) == .duplicateItem)
        #expect(keychain.accounts(query) == ["ada", "ben"])
        #expect(try fixture.faults() == [])
    }

    @Test(
        arguments: [
            .data([1]), .data([0, 0, 0, 0]), .string("user"), .number(1), .null,
            .data([1, 0, 0x61, 0, 0, 1, 0, 0x61, 0, 0]),
        ] as [AttributeValue]
    )
    func `are refused in any other form`(value: AttributeValue) {
        var item = password("eve")
        item[.lookupPairs] = value
        #expect(keychain.add(item) == .param)
        #expect(keychain.status(.copyMatching(item)) == .param)
        #expect(keychain.delete(item) == .param)
        let changes: AttributeDictionary = [Attribute.lookupPairs.rawValue: value]
        #expect(keychain.status(.update(password("ada"), with: changes)) == .param)
        #expect(keychain.attributes(password("ada")).map(\.pairs) == [ada])
    }

    @Test(arguments: [ItemClass.internetPassword, .certificate, .key])
    func `are of no other class`(itemClass: ItemClass) throws {
        var item: AttributeDictionary = .of(itemClass)
        item[.lookupPairs] = .data(try LookupPairs(ada).encoded)
        #expect(keychain.add(item) == .noSuchAttribute)
        #expect(keychain.status(.copyMatching(item)) == .noSuchAttribute)
    }
}

@Suite struct `The files of a keychain with pairs` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    @Test func `show no name and no value, and no digest of what was deleted`() throws {
        let keychain = try home.open()
        let pairs = ["a telling name": "a telling value", "another name": ""]
        #expect(keychain.add(try paired("ada", pairs)) == .success)
        #expect(keychain.accounts(try paired(nil, pairs)) == ["ada"])
        let digests = try keychain.endpoint.engine.enter { state throws(KeychainError) in
            try state.vault.store.pairs(of: 1)
        }
        func shown(_ patterns: [[UInt8]]) throws -> Int {
            let files = try home.files().values.map { Data($0) }
            return patterns.count { pattern in
                files.contains { $0.firstRange(of: Data(pattern)) != nil }
            }
        }
        let texts = ["a telling name", "a telling value", "another name"].map { Array($0.utf8) }
        #expect(try shown([Array("SQLite format".utf8)]) == 1)
        #expect(try shown(texts) == 0)
        #expect(digests.count == 2)
        #expect(try shown(digests) == 2)
        #expect(keychain.delete(try paired(nil, pairs)) == .success)
        #expect(try shown(digests) == 0)
    }

    @Test func `serve searches of another process`() throws {
        let (one, two) = (try home.open(), try home.open())
        #expect(one.add(try paired("ada", ada)) == .success)
        #expect(two.accounts(try paired(nil, ada)) == ["ada"])
        let changes = try paired(nil, note).pairsAlone
        #expect(two.status(.update(password("ada"), with: changes)) == .success)
        #expect(one.accounts(try paired(nil, ada)) == [])
        #expect(one.accounts(try paired(nil, note)) == ["ada"])
    }
}

extension AttributeDictionary {
    /// What an update takes of an item's pairs.
    fileprivate var pairsAlone: AttributeDictionary {
        var changes: AttributeDictionary = [:]
        changes[.lookupPairs] = self[.lookupPairs]
        return changes
    }
}
