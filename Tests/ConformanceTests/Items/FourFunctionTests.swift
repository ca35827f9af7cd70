import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The four functions` {
    @Test(.requirement("QRY-01"), arguments: StoredClass.all)
    func `insert, select, update and delete in every class`(row: StoredClass) throws {
        try onNewDevice { _ in
            #expect(Items.add(row.item.holding("first")) == errSecSuccess)
            #expect(Items.value(row.item) == "first")
            #expect(Items.update(row.item, Attributes().holding("second")) == errSecSuccess)
            #expect(Items.value(row.item) == "second")
            #expect(Items.delete(row.item) == errSecSuccess)
            #expect(Items.find(row.item).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("QRY-02"))
    func `keep the classes apart`() throws {
        try onNewDevice { _ in
            let generic: Attributes = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada",
            ]
            let internet = generic.with([kSecClass: kSecClassInternetPassword])
            #expect(Items.add(generic.holding("generic")) == errSecSuccess)
            #expect(Items.add(internet.holding("internet")) == errSecSuccess)
            #expect(Items.count(generic) == 1 && Items.value(generic) == "generic")
            #expect(Items.count(internet) == 1 && Items.value(internet) == "internet")
            #expect(Items.delete(generic) == errSecSuccess)
            #expect(Items.value(internet) == "internet")
        }
    }

    enum Function: Sendable, CaseIterable {
        case add, find, update, delete

        func call(_ query: Attributes) -> OSStatus {
            switch self {
            case .add: Items.add(query)
            case .find: Items.find(query).status
            case .update: Items.update(query, Attributes().holding("changed"))
            case .delete: Items.delete(query)
            }
        }
    }

    @Test(.requirement("QRY-03"), arguments: Function.allCases)
    func `refuse a dictionary without a class`(function: Function) throws {
        try onNewDevice { device in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            #expect(function.call([kSecAttrAccount: "ada"]) == errSecParam)
            #expect(function.call([:]) == errSecParam)
            #expect(Snapshot() == before)
            #expect(device.finding("missing-class")?.status == errSecParam)
        }
    }

    @Test(
        .requirement("QRY-04"),
        arguments: Function.allCases,
        [Sample.text("bogus"), .text(""), .text("apls"), .text("GENP"), .number(5), .null, .list]
    )
    func `refuse a class that does not exist`(function: Function, itemClass: Sample) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let query = Attributes.mail.with([kSecClass: itemClass.object])
            #expect(function.call(query) == errSecNoSuchClass)
            #expect(Snapshot() == before)
        }
    }

    @Test(.requirement("QRY-17"))
    func `report a delete that deletes nothing`() throws {
        try onNewDevice { _ in
            #expect(Items.delete(.mail) == errSecItemNotFound)
            Items.add(.mail.holding("here"))
            #expect(Items.delete(.mail) == errSecSuccess)
            #expect(Items.delete(.mail) == errSecItemNotFound)
        }
    }

    @Test(.requirement("QRY-18"))
    func `report an update that changes nothing`() throws {
        try onNewDevice { _ in
            let changes = Attributes().holding("changed")
            #expect(Items.update(.mail, changes) == errSecItemNotFound)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("QRY-19"), arguments: [kSecMatchLimitOne as String, String.limitAll])
    func `leave the result alone when nothing matches`(limit: String) throws {
        try onNewDevice { _ in
            let query = Attributes.mail.with([kSecReturnData: true, kSecMatchLimit: limit])
            let found = Items.find(query)
            #expect(found.status == errSecItemNotFound)
            #expect(found.object == nil)
            let untouched = NSString(string: "untouched")
            var result: CFTypeRef? = untouched
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecItemNotFound)
            #expect(result === untouched)
        }
    }

    @Test(.requirement("QRY-20"))
    func `answer whether an item exists`() throws {
        try onNewDevice { _ in
            #expect(Items.find(.mail).status == errSecItemNotFound)
            Items.add(.mail.holding("here"))
            let queries: [Attributes] = [
                .mail, .mail.with([kSecMatchLimit: kSecMatchLimitAll]),
                .mail.with([kSecReturnData: false]),
            ]
            let found = queries.map(Items.find)
            #expect(found.map(\.status) == [errSecSuccess, errSecSuccess, errSecSuccess])
            #expect(found.allSatisfy { $0.object == nil })
        }
    }

    @Test(.requirement("QRY-42"), arguments: StoredClass.passwords)
    func `store an item without a value as one with empty data`(row: StoredClass) throws {
        try onNewDevice { _ in
            #expect(Items.add(row.item) == errSecSuccess)
            let found = Items.find(row.item.with([kSecReturnData: true]))
            #expect(found.status == errSecSuccess)
            #expect(found.data == Data())
        }
    }

    /// Beside anything else, a value that was never given is not mentioned.
    @Test(
        arguments: StoredClass.all,
        [kSecReturnAttributes, kSecReturnPersistentRef].map { $0 as String }
    )
    func `mention no value that was not given`(row: StoredClass, other: String) throws {
        try onNewDevice { _ in
            let wanted = row.item.with([kSecReturnData: true, other as CFString: true])
            let change = row.item
            #expect(Items.add(row.item) == errSecSuccess)
            let without = Items.find(wanted).attributes
            #expect(!without.isEmpty && without[kSecValueData as String] == nil)
            let all = Items.find(wanted.with([kSecMatchLimit: kSecMatchLimitAll])).dictionaries
            #expect(all.map { $0[kSecValueData as String] == nil } == [true])
            #expect(Items.update(change, [kSecAttrLabel: "new"]) == errSecSuccess)
            #expect(Items.find(wanted).attributes[kSecValueData as String] == nil)
            #expect(Items.update(change, [kSecValueData: Data()]) == errSecSuccess)
            #expect(Items.find(wanted).attributes[kSecValueData as String] as? Data == Data())
        }
    }
}

@Suite struct `Adding or updating` {
    private let value = Attributes().holding("again")

    @Test(.requirement("QRY-35"))
    func `works update first`() throws {
        try onNewDevice { _ in
            #expect(Items.update(.mail, value) == errSecItemNotFound)
            #expect(Items.add(.mail.with(value)) == errSecSuccess)
            let created = Items.attributes(.mail)[kSecAttrCreationDate as String] as? Date
            #expect(Items.update(.mail, Attributes().holding("third")) == errSecSuccess)
            #expect(Items.value(.mail) == "third")
            let kept = Items.attributes(.mail)[kSecAttrCreationDate as String] as? Date
            #expect(created != nil && created == kept)
        }
    }

    @Test(.requirement("QRY-36"))
    func `works add first, also with the accessibility in the dictionary`() throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with([
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            ])
            #expect(Items.add(item.holding("first")) == errSecSuccess)
            #expect(Items.add(item.with(value)) == errSecDuplicateItem)
            #expect(Items.value(.mail) == "first")
            #expect(Items.update(.mail, value) == errSecSuccess)
            #expect(Items.value(.mail) == "again")
            #expect(Items.count(.mail) == 1)
        }
    }

    @Test(.requirement("QRY-39"))
    func `keeps the value when other attributes change, and the other way round`() throws {
        try onNewDevice { _ in
            Items.add(.mail.with([kSecAttrLabel: "old"]).holding("secret"))
            #expect(Items.update(.mail, [kSecAttrLabel: "new"]) == errSecSuccess)
            #expect(Items.value(.mail) == "secret")
            #expect(Items.update(.mail, value) == errSecSuccess)
            #expect(Items.value(.mail) == "again")
            #expect(Items.attributes(.mail)[kSecAttrLabel as String] as? String == "new")
        }
    }

    @Test func `accepts an update without new values, which only moves the date`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let before = try #require(Items.attributes(.mail)[.modificationDate] as? Date)
            #expect(Items.update(.mail, [:]) == errSecSuccess)
            let after = try #require(Items.attributes(.mail)[.modificationDate] as? Date)
            #expect(before < after)
            #expect(Items.value(.mail) == "secret")
        }
    }
}
