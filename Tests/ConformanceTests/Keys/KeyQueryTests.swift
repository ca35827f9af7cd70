import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

private var everyKey: Attributes { [kSecClass: kSecClassKey] }

/// Every kind of pair, both halves, under one tag.
private func storeAll() {
    for half in KeyHalf.all {
        let add: Attributes = [
            kSecValueRef: half.key, kSecAttrApplicationTag: Data("all".utf8),
            kSecAttrLabel: half.testDescription,
        ]
        #expect(Items.add(add) == errSecSuccess)
    }
}

@Suite struct `Looking for a key` {
    @Test(.requirement("QRY-24", "API-08"), arguments: KeyHalf.all)
    func `gives an object that works`(half: KeyHalf) throws {
        try onNewDevice { _ in
            storeAll()
            let query = everyKey.with([kSecAttrLabel: half.testDescription, kSecReturnRef: true])
            let found = Items.find(query)
            #expect(found.status == errSecSuccess)
            let key = try #require(found.object as? SecKey)
            #expect(key == half.key && CFGetTypeID(key) == SecKeyGetTypeID())
            #expect(try Keys.export(key).value == half.bytes())
        }
    }

    @Test(.requirement("KEY-12", "CLS-23"), arguments: KeyPair.all, [true, false])
    func `by type, size and class narrows it to one`(pair: KeyPair, typeIsText: Bool) throws {
        try onNewDevice { _ in
            storeAll()
            let tag: Attributes = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("all".utf8),
            ]
            #expect(Items.count(tag) == KeyHalf.all.count)
            let type = typeIsText ? Sample.text(String(pair.type)) : .number(pair.type)
            let ofKind = tag.with([
                kSecAttrKeyType: type.object, kSecAttrKeySizeInBits: pair.bitCount,
            ])
            #expect(Items.count(ofKind) == 2)
            let one = ofKind.with([kSecAttrKeyClass: kSecAttrKeyClassPrivate])
            #expect(Items.count(one) == 1)
            let found = Items.find(one.with([kSecReturnRef: true])).object as? SecKey
            #expect(found == pair.privateKey)
        }
    }

    @Test(.requirement("KEY-12", "CLS-20"))
    func `without type or class may give any of several`() throws {
        try onNewDevice { _ in
            let tag: Attributes = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("both".utf8),
            ]
            Items.add(tag.with([kSecValueRef: KeyPair.rsa.privateKey]))
            Items.add(tag.with([kSecValueRef: KeyPair.p256.privateKey]))
            Items.add(tag.with([kSecValueRef: KeyPair.p256.publicKey]))
            #expect(Items.count(tag) == 3)
            let any = Items.find(tag.with([kSecReturnRef: true])).object as? SecKey
            let stored = [
                KeyPair.rsa.privateKey, KeyPair.p256.privateKey, KeyPair.p256.publicKey,
            ]
            #expect(any.map(stored.contains) == true)
            #expect(Items.count(tag.with([kSecAttrKeyType: kSecAttrKeyTypeRSA])) == 1)
            let curve = tag.with([kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom])
            #expect(Items.count(curve) == 2)
            #expect(Items.count(curve.with([kSecAttrKeyClass: kSecAttrKeyClassPublic])) == 1)
        }
    }

    @Test(.requirement("KEY-08"), arguments: KeyHalf.all)
    func `by reference finds that half alone`(half: KeyHalf) throws {
        try onNewDevice { _ in
            storeAll()
            let query: Attributes = [kSecValueRef: half.key]
            #expect(Items.count(query) == 1)
            #expect(Items.attributes(query)[.label] as? String == half.testDescription)
            let again = Items.find(query.with([kSecReturnRef: true])).object as? SecKey
            #expect(again == half.key)
            #expect(Items.find(query.with([kSecAttrLabel: "other"])).status == errSecItemNotFound)
            let stranger: Attributes = [kSecValueRef: try half.pair.stranger()]
            #expect(Items.find(stranger).status == errSecItemNotFound)
        }
    }

    @Test(arguments: KeyHalf.all)
    func `by reference finds keys with other uses too`(half: KeyHalf) throws {
        try onNewDevice { _ in
            let unusual: Attributes = [
                kSecValueRef: half.key, kSecAttrCanSign: 1, kSecAttrCanEncrypt: 1,
                kSecAttrCanDerive: 1, kSecAttrIsPermanent: 0,
            ]
            #expect(Items.add(unusual) == errSecSuccess)
            #expect(Items.find([kSecValueRef: half.key]).status == errSecSuccess)
            let demanding: Attributes = [kSecValueRef: half.key, kSecAttrCanEncrypt: 0]
            #expect(Items.find(demanding).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("QRY-11", "QRY-24", "API-08"))
    func `gives one without a limit, whatever is asked for`() throws {
        try onNewDevice { _ in
            storeAll()
            #expect(Items.find(everyKey.with([kSecReturnData: true])).object is Data)
            #expect(Items.find(everyKey.with([kSecReturnRef: true])).object is SecKey)
            let attributes = Items.find(everyKey.with([kSecReturnAttributes: true])).object
            #expect(attributes as? [String: Any] != nil && attributes as? [Any] == nil)
            let all = Items.find(
                everyKey.with([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
            )
            let keys = try #require(all.object as? [SecKey])
            #expect(Set(keys) == Set(KeyHalf.all.map(\.key)))
            let two = Items.find(everyKey.with([kSecReturnRef: true, kSecMatchLimit: 2]))
            #expect((two.object as? [SecKey])?.count == 2)
        }
    }

    @Test(.requirement("QRY-27", "QRY-24", "API-08"), arguments: KeyHalf.all)
    func `gives a dictionary of all that is asked for`(half: KeyHalf) throws {
        try onNewDevice { _ in
            storeAll()
            let query = everyKey.with([
                kSecAttrLabel: half.testDescription, kSecReturnData: true, kSecReturnRef: true,
                kSecReturnPersistentRef: true, kSecReturnAttributes: true,
            ])
            let found = Items.find(query).attributes
            #expect(found[kSecValueRef as String] as? SecKey == half.key)
            #expect(try found[kSecValueData as String] as? Data == half.bytes())
            let reference = try #require(found[kSecValuePersistentRef as String] as? Data)
            #expect(found[.label] as? String == half.testDescription)
            #expect(found[.itemClass] as? String == .key)
            let resolved = Items.find([
                kSecValuePersistentRef: reference, kSecReturnRef: true,
            ])
            #expect(resolved.object as? SecKey == half.key)
            let several = query.with([kSecMatchLimit: kSecMatchLimitAll])
            let list = try #require(Items.find(several).object as? [[String: Any]])
            #expect(list.count == 1 && list[0][kSecValueRef as String] as? SecKey == half.key)
        }
    }

    @Test(
        .requirement("QRY-29"),
        arguments: [kSecReturnRef, kSecReturnData, kSecReturnPersistentRef].map { $0 as String }
    )
    func `is not needed after an add that returns the key`(flag: String) throws {
        try onNewDevice { _ in
            let added = Items.adding([
                kSecValueRef: KeyPair.p384.privateKey, flag as CFString: true,
            ])
            #expect(added.status == errSecSuccess)
            let found = Items.find(everyKey.with([flag as CFString: true]))
            let (one, other) = (try #require(added.object), try #require(found.object))
            #expect(CFEqual(one, other))
            if flag == kSecReturnRef as String {
                #expect(added.object as? SecKey == KeyPair.p384.privateKey)
            }
        }
    }
}

@Suite struct `A key item` {
    @Test(arguments: KeyHalf.all)
    func `is changed by its reference`(half: KeyHalf) throws {
        try onNewDevice { _ in
            storeAll()
            #expect(Items.update([kSecValueRef: half.key], [kSecAttrLabel: "new"]) == errSecSuccess)
            #expect(Items.count(everyKey.with([kSecAttrLabel: "new"])) == 1)
            let renamed = everyKey.with([kSecAttrLabel: "new", kSecReturnRef: true])
            #expect(Items.find(renamed).object as? SecKey == half.key)
            #expect(Items.count(everyKey) == KeyHalf.all.count)
        }
    }

    @Test(arguments: KeyHalf.all)
    func `is deleted by its reference, its other half is not`(half: KeyHalf) throws {
        try onNewDevice { _ in
            storeAll()
            #expect(Items.delete([kSecValueRef: half.key]) == errSecSuccess)
            #expect(Items.find([kSecValueRef: half.key]).status == errSecItemNotFound)
            #expect(Items.delete([kSecValueRef: half.key]) == errSecItemNotFound)
            #expect(Items.count(everyKey) == KeyHalf.all.count - 1)
            let other = half.isPrivate ? half.pair.publicKey : half.pair.privateKey
            #expect(Items.find([kSecValueRef: other]).status == errSecSuccess)
        }
    }

    @Test(.requirement("CLS-23")) func `is deleted with all that share its tag`() throws {
        try onNewDevice { _ in
            storeAll()
            Items.add([kSecValueRef: KeyPair.p256.privateKey])
            let tag = everyKey.with([kSecAttrApplicationTag: Data("all".utf8)])
            #expect(Items.delete(tag) == errSecSuccess)
            #expect(Items.count(everyKey) == 1)
        }
    }

    @Test func `belongs to its access group`() throws {
        let device = try SimulatedDevice()
        let apps = ["com.example.one", "com.example.two"].map {
            device.install(.init(bundleIdentifier: $0, keychainAccessGroups: ["shared"]))
        }
        apps[0].run {
            let own = "TEAMID1234.com.example.one"
            Items.add([kSecValueRef: KeyPair.p256.privateKey, kSecAttrAccessGroup: own])
            Items.add([
                kSecValueRef: KeyPair.p384.privateKey, kSecAttrAccessGroup: "TEAMID1234.shared",
            ])
            #expect(Items.count(everyKey) == 2)
        }
        apps[1].run {
            let shared = Items.find(everyKey.with([kSecReturnRef: true])).object as? SecKey
            #expect(Items.count(everyKey) == 1 && shared == KeyPair.p384.privateKey)
            let own: Attributes = [kSecValueRef: KeyPair.p256.privateKey]
            #expect(Items.find(own).status == errSecItemNotFound)
        }
    }
}

@Suite struct `A key on a locked device` {
    private static var tagged: Attributes {
        [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("locked".utf8)]
    }

    @Test(.requirement("KEY-15"), arguments: KeyPair.curves)
    func `is out of reach, and works where it was fetched before`(pair: KeyPair) throws {
        try onNewDevice { device in
            Items.add(Self.tagged.with([kSecValueRef: pair.privateKey]))
            let query = Self.tagged.with([kSecReturnRef: true])
            let key = try #require(Items.find(query).object as? SecKey)
            device.lock()
            let message = Data("text".utf8)
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try #require(Keys.sign(key, algorithm, message).value)
            #expect(Keys.verify(pair.publicKey, algorithm, message, signature).value == true)
            let queries = [
                query, Self.tagged, [kSecValueRef: key], Self.tagged.with([kSecReturnData: true]),
                Self.tagged.with([kSecReturnAttributes: true]),
            ]
            let found = queries.map(Items.find)
            #expect(
                found.map(\.status) == queries.map { _ in errSecInteractionNotAllowed }
            )
            #expect(found.allSatisfy { $0.object == nil })
            let rename = Items.update([kSecValueRef: key], [kSecAttrLabel: "new"])
            #expect(rename == errSecInteractionNotAllowed)
            try device.unlock(passcode: "0000")
            #expect(Items.find(query).object as? SecKey == key)
        }
    }

    @Test func `cannot be added unless its class is open`() throws {
        try onNewDevice { device in
            device.lock()
            let add = Self.tagged.with([kSecValueRef: KeyPair.p256.privateKey])
            #expect(Items.add(add) == errSecInteractionNotAllowed)
            let background = add.with([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
            #expect(Items.add(background) == errSecSuccess)
            let found = Items.find(Self.tagged.with([kSecReturnRef: true])).object as? SecKey
            #expect(found == KeyPair.p256.privateKey)
        }
    }

    @Test func `can be deleted by its reference`() throws {
        try onNewDevice { device in
            Items.add(Self.tagged.with([kSecValueRef: KeyPair.p256.privateKey]))
            device.lock()
            #expect(Items.delete([kSecValueRef: KeyPair.p256.privateKey]) == errSecSuccess)
            try device.unlock(passcode: "0000")
            #expect(Items.count(everyKey) == 0)
        }
    }
}
