import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A result` {
    private func withItem(_ body: (SimulatedDevice) throws -> Void) throws {
        try onNewDevice { device in
            #expect(Items.add(.mail.holding("secret")) == errSecSuccess)
            try body(device)
        }
    }

    @Test(.requirement("QRY-21"))
    func `of data alone is the data`() throws {
        try withItem { _ in
            let found = Items.find(.mail.with([kSecReturnData: true]))
            #expect(found.data == Data("secret".utf8))
        }
    }

    @Test(.requirement("QRY-22"))
    func `of attributes alone holds no value`() throws {
        try withItem { _ in
            let found = Items.find(.mail.with([kSecReturnAttributes: true]))
            #expect(found.attributes[kSecAttrAccount as String] as? String == "ada")
            #expect(found.attributes[kSecValueData as String] == nil)
            #expect(found.attributes[kSecValuePersistentRef as String] == nil)
        }
    }

    @Test(.requirement("QRY-23", "QRY-28"))
    func `of data and attributes is everything that is known of the item`() throws {
        try withItem { _ in
            let found = Items.find(
                .mail.with([kSecReturnAttributes: true, kSecReturnData: true])
            ).attributes
            #expect(found[kSecAttrAccount as String] as? String == "ada")
            #expect(found[kSecAttrService as String] as? String == "mail")
            #expect(found[kSecAttrCreationDate as String] as? Date != nil)
            #expect(found[kSecAttrModificationDate as String] as? Date != nil)
            #expect(found[kSecAttrAccessible as String] as? String == .whenUnlocked)
            #expect(found[kSecAttrSynchronizable as String] as? Bool == false)
            #expect(found[kSecValueData as String] as? Data == Data("secret".utf8))
        }
    }

    @Test(.requirement("QRY-28"))
    func `holds every stored attribute, and the class only beside a reference`() throws {
        try onNewDevice(groups: ["shared"]) { _ in
            let stored = Attributes.mail.with([
                kSecAttrLabel: "Label", kSecAttrDescription: "kind", kSecAttrComment: "comment",
                kSecAttrGeneric: Data([1, 2]), kSecAttrCreator: 7, kSecAttrType: 8,
                kSecAttrSynchronizable: true,
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ])
            Items.add(stored.holding("secret"))
            let query = Attributes.mail.with([kSecAttrSynchronizable: true])
            let found = Items.attributes(query)
            let different = stored.filter { key, value in
                key != kSecClass && key != kSecAttrSynchronizable
                    && !CFEqual(found[key as String] as AnyObject, value as AnyObject)
            }
            #expect(different.isEmpty, "\(different.keys)")
            #expect(found[kSecAttrSynchronizable as String] as? Bool == true)
            #expect(found[kSecAttrAccessGroup as String] as? String == "TEAMID1234.shared")
            #expect(found[kSecAttrAccessControl as String] is SecAccessControl)
            #expect(found[kSecClass as String] == nil)
            let both = query.with([kSecReturnRef: true, kSecReturnAttributes: true])
            #expect(Items.find(both).attributes[kSecClass as String] as? String == .genericPassword)
        }
    }

    @Test(.requirement("QRY-25"), arguments: StoredClass.passwords)
    func `has no reference to a password`(row: StoredClass) throws {
        try onNewDevice { _ in
            let query = row.item.with([kSecReturnRef: true])
            let added = Items.adding(query.holding("secret"))
            #expect(added.status == errSecSuccess && added.object == nil)
            let found = Items.find(query)
            #expect(found.status == errSecSuccess && found.object == nil)
        }
    }

    @Test func `of data and a persistent reference holds both`() throws {
        try withItem { _ in
            let query = Attributes.mail.with([kSecReturnData: true, kSecReturnPersistentRef: true])
            let found = Items.find(query).attributes
            #expect(found[kSecValueData as String] as? Data == Data("secret".utf8))
            #expect(found[kSecValuePersistentRef as String] is Data)
            let all = Items.find(query.with([kSecReturnAttributes: true])).attributes
            #expect(all[kSecValueData as String] as? Data == Data("secret".utf8))
            #expect(all[kSecValuePersistentRef as String] is Data)
            #expect(all[kSecAttrAccount as String] as? String == "ada")
        }
    }

    @Test func `never names what the keychain keeps to itself`() throws {
        try withItem { _ in
            let query = Attributes.mail.with([
                kSecReturnAttributes: true, kSecReturnPersistentRef: true,
            ])
            let found = Items.find(query).attributes
            #expect(found["persistref"] == nil && found[.uuid] == nil && found["data"] == nil)
        }
    }

    @Test func `can be the next query once the class is added`() throws {
        try withItem { _ in
            var query = Items.attributes(.mail)
            query[kSecClass as String] = kSecClassGenericPassword
            query[kSecReturnData as String] = true
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? Data == Data("secret".utf8))
        }
    }
}

@Suite struct `What an add returns` {
    @Test(.requirement("QRY-29"))
    func `has the shape that is asked for`() throws {
        try onNewDevice { _ in
            let item = Attributes.mail.holding("secret")
            let attributes = Items.adding(item.with([kSecReturnAttributes: true])).attributes
            #expect(attributes[kSecAttrAccount as String] as? String == "ada")
            #expect(attributes[kSecAttrCreationDate as String] is Date)
            #expect(attributes[kSecValueData as String] == nil)
            Items.delete(.mail)
            #expect(Items.adding(item.with([kSecReturnData: true])).text == "secret")
            Items.delete(.mail)
            let reference = Items.adding(item.with([kSecReturnPersistentRef: true])).data
            #expect(reference != nil && reference == Items.reference(.mail))
            Items.delete(.mail)
            let both = item.with([kSecReturnData: true, kSecReturnPersistentRef: true])
            #expect(
                Set(Items.adding(both).attributes.keys) == [
                    String.valueData, .valuePersistentReference,
                ]
            )
        }
    }

    @Test(.requirement("QRY-29"))
    func `is nothing when nothing is asked for, or nobody takes it`() throws {
        try onNewDevice { _ in
            #expect(Items.adding(.mail.holding("secret")).object == nil)
            Items.delete(.mail)
            let item = Attributes.mail.with([kSecReturnAttributes: true]).holding("secret")
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            #expect(Items.value(.mail) == "secret")
        }
    }

    @Test(.requirement("QRY-29"))
    func `is nothing when the add fails`() throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with([kSecReturnData: true])
            Items.add(.mail.holding("first"))
            let added = Items.adding(item.holding("second"))
            #expect(added.status == errSecDuplicateItem && added.object == nil)
        }
    }

    @Test func `is empty data for an item without a value`() throws {
        try onNewDevice { _ in
            #expect(Items.adding(.mail.with([kSecReturnData: true])).data == Data())
        }
    }
}
