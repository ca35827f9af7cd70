import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// What a program does, and which vector follows from it.
private struct SyncVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isDeleted: Bool
    let item: AttributeDictionary
    let value: String

    static let all = [
        SyncVector(
            testDescription: "password",
            isDeleted: false,
            item: password("ada", [.synchronizable: .bool(true)]),
            value: "open sesame"
        ),
        SyncVector(
            testDescription: "tombstone",
            isDeleted: true,
            item: password("ada", [.synchronizable: .bool(true)]),
            value: "gone"
        ),
        SyncVector(
            testDescription: "web",
            isDeleted: false,
            item: [
                .itemClass: .string(.internetPassword), .synchronizable: .bool(true),
                .server: .string("example.com"), .account: .string("Zoë"), .path: .string("/a"),
                .port: .number(8443), .protocolName: .string("htps"),
                .label: .string("Ein Schlüssel"), .accessGroup: .string("TEAM.shared"),
                .accessible: .string(.afterFirstUnlock),
            ],
            value: ""
        ),
    ]
}

@Suite struct `What devices tell each other of an item` {
    @Test(arguments: SyncVector.all)
    fileprivate func `has the name and the digest that others compute`(vector: SyncVector) throws {
        let keychain = try SyncedKeychain()
        #expect(keychain.fixture.keychain.add(vector.item, vector.value) == .success)
        if vector.isDeleted {
            #expect(keychain.fixture.keychain.delete(vector.item) == .success)
        }
        let expected = try ItemVector(file: "sync.txt")
        let items = try keychain.read()
        try #require(items.count == 1)
        #expect(try items[0].attributes == expected(vector.testDescription + " attributes"))
        #expect(try items[0].name == expected(vector.testDescription + " name"))
        #expect(try items[0].digest == expected(vector.testDescription + " digest"))
        #expect(items[0].isTombstone == vector.isDeleted)
        #expect(keychain.status(.verify(items)) == .success)
    }
}

/// A change of an item on its way, as somebody would send it who means harm or is broken.
private struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () throws -> SyncedItem

    init(_ name: String, _ make: @escaping @Sendable () throws -> SyncedItem) {
        testDescription = name
        self.make = make
    }

    /// Attributes that are added to a right item.
    static func more(_ name: String, _ more: AttributeValues) -> Forgery {
        Forgery(name) { try .password("ada", "new", more) }
    }

    /// A right item that is changed, and gets a digest that fits.
    static func changed(
        _ name: String,
        _ change: @escaping @Sendable (inout SyncedItem) -> Void
    ) -> Forgery {
        Forgery(name) {
            var item = try SyncedItem.password("ada", "new")
            change(&item)
            return try item.redigested()
        }
    }

    static let all: [Forgery] = [
        Forgery("another digest") {
            var item = try SyncedItem.password("ada", "new")
            item.digest[31] ^= 1
            return item
        },
        Forgery("no digest") {
            var item = try SyncedItem.password("ada", "new")
            item.digest = []
            return item
        },
        Forgery("an access control") {
            let control = AccessControl(protection: .whenUnlocked, flags: .userPresence)
            return try .password("ada", "new", control: control)
        },
        Forgery("ThisDeviceOnly") {
            try .password("ada", "new", protection: .whenUnlockedThisDeviceOnly)
        },
        Forgery("no group") { try .password("ada", "new", group: "") },
        .changed("another name") { $0.name[0] ^= 1 },
        .changed("a short name") { $0.name.removeLast() },
        .changed("another class") { $0.itemClass = .internetPassword },
        .changed("an identity") { $0.itemClass = .identity },
        .changed("no attributes") { $0.attributes = [] },
        .changed("half an attribute") { $0.attributes.removeLast() },
        .changed("a size beyond the end") { $0.attributes[8] = 0xFF },
        .changed("letters that are no text") { $0.attributes[0] = 0xFF },
        .changed("an attribute twice") { $0.attributes = $0.attributes.prefix(12) + $0.attributes },
        .changed("attributes out of order") {
            $0.attributes = Array($0.attributes.dropFirst(12) + $0.attributes.prefix(12))
        },
        .changed("an unknown kind of value") { $0.attributes[4] = 9 },
        .changed("no value") { $0.value = nil },
        .changed("a tombstone with a value") { $0.isTombstone = true },
        Forgery("a tombstone with a label") {
            try .password("ada", nil, [.label: .string("still here")])
        },
        .more("a token", [.tokenID: .string("com.apple.setoken")]),
        .more("an attribute of another class", [.server: .string("example.com")]),
        .more("a column among the attributes", [.synchronizable: .number(0)]),
        .more("a tombstone's mark", [.tombstone: .number(1)]),
        .more("a protection class among the attributes", [.accessible: .string(.always)]),
        .more("a date that is none", [.creationDate: .date(.nan)]),
        .more("a modification at no time", [.modificationDate: .date(.infinity)]),
        .more("text for a date", [.modificationDate: .string("now")]),
        .more("a date for a text", [.account: .date(0)]),
        .more("pairs that are none", [.lookupPairs: .data([1])]),
    ]
}

@Suite struct `An item that no device would send` {
    @Test(arguments: Forgery.all)
    fileprivate func `is refused, and nothing changes`(forgery: Forgery) throws {
        let keychain = try SyncedKeychain()
        let item = try forgery.make()
        let before = try keychain.mark()
        #expect(keychain.status(.verify([item])) == .decode)
        let good = try SyncedItem.password("grace", "good")
        let record = SyncRecord(key: [1], value: [2])
        #expect(keychain.status(.apply([good, item], keeping: [record])) == .decode)
        #expect(try keychain.mark() == before)
        #expect(try keychain.endpoint.synchronizationRecords() == [])
        #expect(try keychain.read().isEmpty)
    }

    @Test func `may have attributes of a later version, which stay`() throws {
        let keychain = try SyncedKeychain()
        let later = Attribute(rawValue: "zzzz")
        let item = try SyncedItem.password("ada", "new", [later: .number(7)])
        try keychain.apply(item)
        #expect(try keychain.read().map(\.digest) == [item.digest])
        #expect(keychain.fixture.keychain.update(synced("ada"), "newer") == .success)
        let attributes = try #require(try keychain.read().first).attributes
        #expect(attributes.contains(subsequence: Array("zzzz".utf8)))
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence: [UInt8]) -> Bool { firstRange(of: subsequence) != nil }
}

/// A query for a synchronizable password.
func synced(_ account: String?) -> AttributeDictionary {
    password(account, [.synchronizable: .bool(true)])
}
