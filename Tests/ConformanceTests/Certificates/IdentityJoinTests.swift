import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// The halves of an identity, in an order in which to add or delete them.
struct Halves: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let classes: [String]

    static let orders = [
        Halves(testDescription: "certificate, then key", classes: [String.certificate, .key]),
        Halves(testDescription: "key, then certificate", classes: [String.key, .certificate]),
    ]
}

extension Person {
    /// What adds or names one half.
    func half(_ itemClass: String) -> Attributes {
        itemClass == .certificate ? .reference(certificate) : .reference(key)
    }

    /// Adds both halves on their own.
    func addHalves() {
        #expect(Items.add(half(.certificate)) == errSecSuccess)
        #expect(Items.add(half(.key)) == errSecSuccess)
    }
}

@Suite struct `An identity` {
    @Test(.requirement("CRT-04", "QRY-24", "API-08"), arguments: Halves.orders)
    func `appears with its second half`(order: Halves) throws {
        try onNewDevice { _ in
            let ada = Person.ada
            let asked = Attributes.identities.with([kSecReturnRef: true])
            #expect(Items.find(asked).status == errSecItemNotFound)
            #expect(Items.add(ada.half(order.classes[0])) == errSecSuccess)
            #expect(Items.find(asked).status == errSecItemNotFound)
            #expect(Items.add(ada.half(order.classes[1])) == errSecSuccess)
            #expect(Items.find(asked).status == errSecSuccess)
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
        }
    }

    @Test(.requirement("CRT-05"), arguments: Halves.orders)
    func `disappears with either half, and the other stays`(order: Halves) throws {
        try onNewDevice { _ in
            let ada = Person.ada
            ada.addHalves()
            let (gone, left) = (order.classes[0], order.classes[1])
            #expect(Items.delete([kSecClass: gone]) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecItemNotFound)
            #expect(Items.find(ada.half(left)).status == errSecSuccess)
            #expect(Items.add(ada.half(gone)) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecSuccess)
        }
    }

    @Test(.requirement("CRT-04"))
    func `does not come of another's key`() throws {
        try onNewDevice { _ in
            Items.add(.reference(Person.ada.certificate))
            Items.add(.reference(Person.bob.key))
            #expect(Items.find(.identities).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("CRT-04"))
    func `does not come of a public key`() throws {
        try onNewDevice { _ in
            let ada = Person.ada
            let publicKey = try #require(SecKeyCopyPublicKey(ada.key))
            Items.add(.reference(ada.certificate))
            #expect(Items.add(.reference(publicKey)) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecItemNotFound)
            #expect(Items.add(.reference(ada.key)) == errSecSuccess)
            #expect(Items.count(.identities) == 1)
        }
    }

    @Test(.requirement("CRT-04"))
    func `does not come of a certificate stored as bare bytes`() throws {
        try onNewDevice { _ in
            let bare = Attributes.certificates.with([kSecValueData: Certificates.ada.data])
            #expect(Items.add(bare) == errSecSuccess)
            #expect(Items.add(.reference(Person.ada.key)) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecItemNotFound)
        }
    }

    @Test(
        .requirement("CLS-24", "CRT-06"),
        .contradiction("identity-join"),
        arguments: [true, false]
    )
    func `has the hash of its public key in both halves`(isElliptic: Bool) throws {
        try onNewDevice { _ in
            let person = isElliptic ? Person.ada : Person.bob
            person.addHalves()
            let hash = Items.attributes(.certificates)[.publicKeyHash] as? Data
            #expect(hash?.count == 20)
            #expect(Items.attributes(.keys)[.applicationLabel] as? Data == hash)
            let identity = Items.attributes(.identities)
            #expect(
                identity[.publicKeyHash] as? Data == hash
                    && identity[.applicationLabel] as? Data == hash
            )
        }
    }

    @Test(.requirement("CRT-06"))
    func `disappears when the key's label is altered`() throws {
        try onNewDevice(behavior: .appleSource) { _ in
            let ada = Person.ada
            ada.addHalves()
            let label = ada.certificate.keyHash
            let altered = [kSecAttrApplicationLabel: Data(label.reversed())]
            #expect(Items.update(.keys, altered) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecItemNotFound)
            #expect(Items.update(.keys, [kSecAttrApplicationLabel: label]) == errSecSuccess)
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
        }
    }

    @Test(.requirement("CLS-25"), arguments: [true, false])
    func `appears although its key was added under a label of somebody's own`(
        isOwnLabel: Bool
    ) throws {
        try onNewDevice { device in
            let ada = Person.ada
            let label = isOwnLabel ? Data("my key".utf8) : ada.certificate.keyHash
            let labeled = Attributes.reference(ada.key).with([kSecAttrApplicationLabel: label])
            #expect(Items.add(labeled) == errSecSuccess)
            #expect(Items.add(.reference(ada.certificate)) == errSecSuccess)
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
            #expect(device.findings.contains { $0.rule == "own-application-label" } == isOwnLabel)
        }
    }

    @Test(.requirement("CRT-06"))
    func `is not made of a key that only claims the label`() throws {
        try onNewDevice { _ in
            let ada = Person.ada
            let impostor: Attributes = [
                kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeRSA,
                kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecValueData: PrivateKeys.bob.data,
                kSecAttrApplicationLabel: ada.certificate.keyHash,
            ]
            #expect(Items.add(impostor) == errSecSuccess)
            #expect(Items.add(.reference(ada.certificate)) == errSecSuccess)
            #expect(Items.object(.identities, as: SecIdentity.self) == nil)
            #expect(Items.objects(.identities, as: SecIdentity.self) == [])
        }
    }

    @Test(.requirement("CLS-06"))
    func `is one for each certificate of a key`() throws {
        try onNewDevice { _ in
            let (ada, renewed) = (Person.ada, Person.adaRenewed)
            ada.addHalves()
            #expect(Items.add(.reference(renewed.certificate)) == errSecSuccess)
            let all = [ada.identity, renewed.identity]
            #expect(Items.objects(.identities, as: SecIdentity.self) == all)
            #expect(Items.count(.keys) == 1)
            #expect(Items.delete(.reference(ada.certificate)) == errSecSuccess)
            #expect(Items.objects(.identities, as: SecIdentity.self) == [renewed.identity])
        }
    }

    @Test(.requirement("CLS-06"))
    func `is stored as nothing but its halves`() throws {
        try onNewDevice { _ in
            let ada = Person.ada
            ada.addHalves()
            let before = Snapshot()
            #expect(before.lines.count == 2)
            #expect(Items.object(.identities, as: SecIdentity.self) != nil)
            #expect(Snapshot() == before)
        }
    }

    @Test func `joins halves in different groups of the same app`() throws {
        try onNewDevice(groups: ["com.example.one", "com.example.two"]) { _ in
            let ada = Person.ada
            let (one, two) = ("TEAMID1234.com.example.one", "TEAMID1234.com.example.two")
            Items.add(ada.half(.certificate).with([kSecAttrAccessGroup: one]))
            Items.add(ada.half(.key).with([kSecAttrAccessGroup: two]))
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
            let found = [one, two].map { group in
                Items.find(.identities.with([kSecAttrAccessGroup: group])).status
            }
            #expect(found == [errSecItemNotFound, errSecItemNotFound])
        }
    }

    @Test func `does not join halves of different apps`() throws {
        let device = try SimulatedDevice()
        let ada = Person.ada
        let apps = ["com.example.one", "com.example.two"].map {
            device.install(.init(bundleIdentifier: $0))
        }
        apps[0].run { #expect(Items.add(ada.half(.certificate)) == errSecSuccess) }
        apps[1].run { #expect(Items.add(ada.half(.key)) == errSecSuccess) }
        let found = apps.map { app in app.run { Items.find(.identities).status } }
        #expect(found == [errSecItemNotFound, errSecItemNotFound])
    }

    @Test(arguments: [String.returnReference, .returnAttributes, .returnPersistentReference])
    func `is out of reach while its key is`(wish: String) throws {
        try onNewDevice { device in
            Person.ada.addHalves()
            device.lock()
            let asked = Attributes.identities.with(wish, .bool(true))
            #expect(Items.find(asked).status == errSecInteractionNotAllowed)
        }
    }

    @Test(.requirement("CRT-04"))
    func `survives a restart of the device`() throws {
        try onNewDevice { device in
            let ada = Person.ada
            ada.addHalves()
            device.reboot()
            try device.unlock(passcode: "0000")
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
        }
    }
}
