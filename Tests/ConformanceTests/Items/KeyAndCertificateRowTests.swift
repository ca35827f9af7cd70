import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

// What holds for keys and certificates as rows of attributes.

@Suite struct `A key as a row` {
    private static var tagged: Attributes {
        [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8),
        ]
    }

    @Test(.requirement("CLS-22"))
    func `needs a key type`() throws {
        try onNewDevice { device in
            #expect(Items.add(Self.tagged.with([kSecAttrKeyClass: "1"])) == errSecParam)
            #expect(Snapshot().lines == [])
            #expect(device.finding("key-without-type")?.status == errSecParam)
            let typed = Self.tagged.with([kSecAttrKeyType: kSecAttrKeyTypeRSA])
            #expect(Items.add(typed) == errSecSuccess)
        }
    }

    @Test(.requirement("CLS-21"))
    func `is found without its key class, whichever it has`() throws {
        try onNewDevice { _ in
            let typed = Self.tagged.with([kSecAttrKeyType: kSecAttrKeyTypeRSA])
            let classes = [
                kSecAttrKeyClassPublic, kSecAttrKeyClassPrivate, kSecAttrKeyClassSymmetric,
            ]
            for keyClass in classes {
                let key = typed.with([kSecAttrKeyClass: keyClass])
                #expect(Items.add(key.holding("key \(keyClass)")) == errSecSuccess)
            }
            #expect(Items.count(Self.tagged) == 3)
            let any = Items.find(Self.tagged.with([kSecReturnAttributes: true]))
            #expect([0, 1, 2].contains(any.attributes[.keyClass] as? Int))
            let only = Self.tagged.with([kSecAttrKeyClass: kSecAttrKeyClassPrivate])
            #expect(Items.count(only) == 1 && Items.value(only) == "key 1")
        }
    }
}

@Suite struct `A certificate as a row` {
    @Test(.requirement("CLS-26"))
    func `has no application tag`() throws {
        try onNewDevice { device in
            let item = StoredClass.certificate.item.with([kSecAttrApplicationTag: Data([1])])
            #expect(Items.add(item) == errSecParam)
            #expect(Items.find(item).status == errSecParam)
            #expect(Snapshot().lines == [])
            #expect(device.finding("tag-on-certificate")?.status == errSecParam)
        }
    }

    @Test(.requirement("CLS-28"))
    func `is readable in every lock state`() throws {
        try onNewDevice { device in
            let item = StoredClass.certificate.item
            #expect(Items.add(item.holding("public")) == errSecSuccess)
            #expect(Items.attributes(item)[.accessible] as? String == .always)
            device.lock()
            #expect(Items.value(item) == "public")
            device.reboot()
            #expect(device.state == .beforeFirstUnlock)
            #expect(Items.value(item) == "public")
            #expect(Items.attributes(item)[.serialNumber] as? Data == Data([4, 5, 6]))
        }
    }
}
