import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Calling the four functions` {
    @Test(.requirement("API-07"))
    func `hands the result to either pointer type, or to nobody`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccount as String: "ada",
                kSecReturnData as String: true,
                kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            var object: AnyObject?
            #expect(SecItemCopyMatching(query as CFDictionary, &object) == errSecSuccess)
            #expect(object as? Data == Data("secret".utf8))
            var reference: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &reference) == errSecSuccess)
            #expect(reference as? Data == Data("secret".utf8))
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
        }
    }

    @Test func `returns objects that become Swift values`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let all = Attributes.mail.with([
                kSecReturnAttributes: true, kSecReturnData: true,
                kSecMatchLimit: kSecMatchLimitAll,
            ])
            var items: CFTypeRef?
            #expect(SecItemCopyMatching(all as CFDictionary, &items) == errSecSuccess)
            let list = try #require(items as? [[String: Any]])
            #expect(list.first?[kSecAttrAccount as String] as? String == "ada")
            #expect(list.first?[kSecValueData as String] as? Data == Data("secret".utf8))
            #expect((items as? [Any])?.count == 1)
            #expect((items as? NSArray)?.firstObject is NSDictionary)
            let references = Items.find(
                .mail.with([kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll])
            )
            #expect((references.object as? [Data])?.count == 1)
        }
    }

    @Test(.requirement("API-11"), arguments: 0..<4)
    func `accepts every spelling of true`(spelling: Int) throws {
        let spellings: [Any] = [
            true, kCFBooleanTrue!, kCFBooleanTrue as Any, NSNumber(value: true),
        ]
        let yes = spellings[spelling]
        try onNewDevice { _ in
            let item = Attributes.mail.with([
                kSecAttrIsInvisible: yes, kSecAttrSynchronizable: yes, kSecReturnData: yes,
            ])
            #expect(Items.adding(item.holding("secret")).text == "secret")
            #expect(Items.find(item).text == "secret")
            #expect(Items.find(.mail.with([kSecReturnData: yes])).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("API-12"))
    func `accepts string keys and constant keys alike`() throws {
        let strings: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "mail",
            kSecAttrAccount as String: "ada",
        ]
        let constants: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "ada",
        ]
        try onNewDevice { _ in
            var added = strings
            added[kSecValueData as String] = Data("secret".utf8)
            #expect(SecItemAdd(added as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemAdd(constants as CFDictionary, nil) == errSecDuplicateItem)
            var read = strings
            read[kSecReturnData as String] = true
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(read as CFDictionary, &result) == errSecSuccess)
            #expect(result as? Data == Data("secret".utf8))
            #expect(Items.value(constants) == "secret")
        }
    }

    @Test(
        .requirement("API-13"),
        arguments: [String.genericPassword, .internetPassword, .certificate, .key, .identity]
    )
    func `accepts an object literal keyed by constants`(itemClass: String) throws {
        try onNewDevice { _ in
            #expect(SecItemDelete([kSecClass: kSecClassKey] as NSDictionary) == -25300)
            let query: NSDictionary = [
                kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            #expect(SecItemDelete(query) == errSecItemNotFound)
            let item: NSDictionary = [
                kSecClass: kSecClassGenericPassword, kSecValueData: Data("secret".utf8),
            ]
            #expect(SecItemAdd(item, nil) == errSecSuccess)
            let expected = itemClass == .genericPassword ? errSecSuccess : errSecItemNotFound
            #expect(SecItemDelete(query) == expected)
        }
    }

    /// Warnings are errors where this is built, so it is enough that this compiles.
    @Test func `allows the status to be ignored`() throws {
        try onNewDevice { _ in
            let query = Attributes.mail as CFDictionary
            SecItemAdd(query, nil)
            SecItemCopyMatching(query, nil)
            SecItemUpdate(query, [kSecAttrLabel: "x"] as CFDictionary)
            SecItemDelete(query)
            #expect(Items.find(.mail).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("API-15"))
    func `takes an optional that holds something for what it holds`() throws {
        try onNewDevice { _ in
            let access = SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleAfterFirstUnlock,
                [],
                nil
            )
            let account: String? = "ada"
            let nested: String?? = .some("mail")
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccessControl as String: access as Any,
                kSecAttrAccount as String: account as Any,
                kSecAttrService as String: nested as Any,
            ]
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            let found = Items.attributes(.mail)
            #expect(
                found[.account] as? String == "ada"
                    && found[.accessible] as? String == .afterFirstUnlock
            )
        }
    }

    @Test(.requirement("API-15"))
    func `refuses an optional that holds nothing`() throws {
        try onNewDevice { _ in
            let access: SecAccessControl? = nil
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccessControl as String: access as Any,
            ]
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecParam)
            #expect(Snapshot().lines == [])
        }
    }
}
