import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Adding an identity` {
    @Test(
        .requirement("CRT-07"),
        .contradiction("adding-an-identity"),
        arguments: [BehaviorProfile.documented, .appleSource]
    )
    func `by its attributes is refused`(behavior: BehaviorProfile) throws {
        try onNewDevice(behavior: behavior) { _ in
            let plain = Attributes.identities.with([kSecAttrLabel: "Ada"])
            #expect(Items.add(.identities) == errSecParam)
            #expect(Items.add(plain) == errSecParam)
            #expect(Items.add(plain.with([kSecValueData: PrivateKeys.ada.data])) == errSecParam)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("CRT-14"), .contradiction("adding-an-identity"))
    func `by reference stores both halves`() throws {
        try onNewDevice { _ in
            let ada = Person.ada
            #expect(Items.add(.reference(ada.identity)) == errSecSuccess)
            #expect(Items.count(.certificates) == 1 && Items.count(.keys) == 1)
            #expect(Items.object(.certificates, as: SecCertificate.self) == ada.certificate)
            #expect(Items.object(.keys, as: SecKey.self) == ada.key)
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
            #expect(Items.attributes(.certificates)[.label] as? String == "Ada Lovelace")
            #expect(Items.attributes(.certificates)[.accessible] as? String == .always)
            #expect(Items.attributes(.keys)[.accessible] as? String == .whenUnlocked)
        }
    }

    @Test(.requirement("CRT-14"))
    func `gives each half the attributes that it has`() throws {
        try onNewDevice(groups: ["com.example.shared"]) { _ in
            let query = Attributes.reference(Person.ada.identity).with([
                kSecClass: kSecClassIdentity, kSecAttrLabel: "mine",
                kSecAttrApplicationTag: Data("tag".utf8),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrAccessGroup: "TEAMID1234.com.example.app",
            ])
            #expect(Items.add(query) == errSecSuccess)
            let halves = [Items.attributes(.certificates), Items.attributes(.keys)]
            let group = "TEAMID1234.com.example.app"
            #expect(halves.map { $0[.label] as? String } == ["mine", "mine"])
            let classes = halves.map { $0[.accessible] as? String }
            #expect(classes == [.afterFirstUnlock, .afterFirstUnlock])
            #expect(halves.map { $0[.accessGroup] as? String } == [group, group])
            #expect(halves[0][.applicationTag] == nil)
            #expect(halves[1][.applicationTag] as? Data == Data("tag".utf8))
        }
    }

    @Test(.requirement("CRT-14"), arguments: [String.certificate, .key])
    func `completes one of which a half is there, and else is a duplicate`(
        missing: String
    ) throws {
        try onNewDevice { _ in
            let ada = Person.ada
            #expect(Items.add(.reference(ada.identity)) == errSecSuccess)
            #expect(Items.add(.reference(ada.identity)) == errSecDuplicateItem)
            #expect(Items.delete([kSecClass: missing]) == errSecSuccess)
            #expect(Items.add(.reference(ada.identity)) == errSecSuccess)
            #expect(Snapshot().lines.count == 2)
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
        }
    }

    @Test(.requirement("CRT-14"))
    func `with a second certificate of the same key adds only that`() throws {
        try onNewDevice { _ in
            let all = [Person.ada.identity, Person.adaRenewed.identity]
            for identity in all { #expect(Items.add(.reference(identity)) == errSecSuccess) }
            #expect(Items.count(.certificates) == 2 && Items.count(.keys) == 1)
            #expect(Items.objects(.identities, as: SecIdentity.self) == all)
        }
    }

    @Test(
        .requirement("CRT-14"),
        arguments: [
            kSecAttrAccessGroup as String, kSecAttrService as String, kSecAttrAccessible as String,
            kSecMatchLimit as String,
        ]
    )
    func `stores nothing at all when something is wrong`(key: String) throws {
        try onNewDevice { _ in
            let query = Attributes.reference(Person.ada.identity)
            let wrong = query.with([key as CFString: "com.example.other"])
            let status = Items.add(wrong)
            #expect(status != errSecSuccess && status != errSecItemNotFound)
            if key == kSecAttrAccessGroup as String { #expect(status == errSecMissingEntitlement) }
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("CRT-14"))
    func `stores nothing at all while the key's class is closed`() throws {
        try onNewDevice { device in
            device.lock()
            let query = Attributes.reference(Person.ada.identity)
            #expect(Items.add(query) == errSecInteractionNotAllowed)
            #expect(Items.find(.certificates).status == errSecItemNotFound)
            try device.unlock(passcode: "0000")
            #expect(Snapshot().lines == [])
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func `returns a persistent reference that finds it, whatever was there`(there: Int) throws {
        try onNewDevice { _ in
            let ada = Person.ada
            if there & 1 != 0 { Items.add(.reference(ada.certificate)) }
            if there & 2 != 0 { Items.add(.reference(ada.key)) }
            let asked = Attributes.reference(ada.identity).with([kSecReturnPersistentRef: true])
            let added = Items.adding(asked)
            #expect(added.status == (there == 3 ? errSecDuplicateItem : errSecSuccess))
            guard there != 3 else { return }
            let reference = try #require(added.data)
            let query: Attributes = [kSecValuePersistentRef: reference]
            #expect(Items.object(query, as: SecIdentity.self) == ada.identity)
            #expect(Items.reference(.identities) == reference)
        }
    }

    @Test(arguments: [String.returnData, .returnAttributes, .returnReference])
    func `returns nothing else`(wish: String) throws {
        try onNewDevice { _ in
            let asked = Attributes.reference(Person.ada.identity).with(wish, .bool(true))
            let added = Items.adding(asked)
            #expect(added.status == errSecSuccess && added.object == nil)
        }
    }
}

@Suite struct `Deleting an identity` {
    @Test(.requirement("CRT-14", "CRT-05"))
    func `by reference removes both halves`() throws {
        try onNewDevice { _ in
            let (ada, bob) = (Person.ada, Person.bob)
            ada.addHalves()
            bob.addHalves()
            #expect(Items.delete(.reference(ada.identity)) == errSecSuccess)
            #expect(Items.delete(.reference(ada.identity)) == errSecItemNotFound)
            #expect(Items.objects(.certificates, as: SecCertificate.self) == [bob.certificate])
            #expect(Items.objects(.keys, as: SecKey.self) == [bob.key])
        }
    }

    @Test(.requirement("CRT-14"))
    func `keeps a key that another certificate needs`() throws {
        try onNewDevice { _ in
            let (ada, renewed) = (Person.ada, Person.adaRenewed)
            for person in [ada, renewed] { Items.add(.reference(person.identity)) }
            #expect(Items.delete(.reference(ada.identity)) == errSecSuccess)
            #expect(Items.objects(.identities, as: SecIdentity.self) == [renewed.identity])
            #expect(Items.object(.keys, as: SecKey.self) == ada.key)
            #expect(Items.delete(.reference(renewed.identity)) == errSecSuccess)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("CRT-14"))
    func `keeps a key that a certificate in another of the app's groups needs`() throws {
        try onNewDevice(groups: ["com.example.shared"]) { _ in
            let app: Attributes = [kSecAttrAccessGroup: "TEAMID1234.com.example.app"]
            let (ada, renewed) = (Person.ada, Person.adaRenewed)
            Items.add(.reference(ada.identity).with(app))
            Items.add(.reference(renewed.certificate))
            #expect(Items.delete(.reference(ada.identity).with(app)) == errSecSuccess)
            #expect(Items.objects(.identities, as: SecIdentity.self) == [renewed.identity])
        }
    }

    @Test(.requirement("CRT-14"))
    func `by persistent reference is the same`() throws {
        try onNewDevice { _ in
            let (ada, renewed) = (Person.ada, Person.adaRenewed)
            for person in [ada, renewed] { Items.add(.reference(person.identity)) }
            let reference = try #require(Items.reference(.reference(ada.identity)))
            #expect(Items.delete([kSecValuePersistentRef: reference]) == errSecSuccess)
            #expect(Items.objects(.identities, as: SecIdentity.self) == [renewed.identity])
            #expect(Items.delete([kSecValuePersistentRef: reference]) == errSecItemNotFound)
        }
    }

    @Test func `by label or by nothing removes those that match`() throws {
        try onNewDevice { _ in
            for person in [Person.ada, Person.adaRenewed, Person.bob] {
                #expect(Items.add(.reference(person.identity)) == errSecSuccess)
            }
            Items.add(.reference(Certificates.root.certificate))
            #expect(Items.delete(.identities.with([kSecAttrLabel: "Bob"])) == errSecSuccess)
            #expect(Items.count(.keys) == 1 && Items.count(.certificates) == 3)
            #expect(Items.delete(.identities) == errSecSuccess)
            #expect(Items.count(.keys) == 0 && Items.count(.certificates) == 1)
            #expect(Items.delete(.identities) == errSecItemNotFound)
        }
    }

    @Test(.requirement("ACC-27"))
    func `needs no class key`() throws {
        try onNewDevice { device in
            let ada = Person.ada
            ada.addHalves()
            device.lock()
            #expect(Items.delete(.reference(ada.identity)) == errSecSuccess)
            try device.unlock(passcode: "0000")
            #expect(Snapshot().lines == [])
        }
    }
}

@Suite struct `Updating an identity` {
    @Test(arguments: ["reference", "its class", "persistent reference"])
    func `changes both halves`(way: String) throws {
        try onNewDevice(groups: ["com.example.shared"]) { _ in
            let (ada, bob) = (Person.ada, Person.bob)
            Items.add(.reference(ada.identity))
            Items.add(.reference(bob.certificate))
            let persistent = try #require(Items.reference(.identities))
            let query: Attributes =
                switch way {
                case "its class": .identities
                case "reference": .reference(ada.identity)
                default: [kSecValuePersistentRef: persistent]
                }
            let changes: Attributes = [
                kSecAttrAccessGroup: "TEAMID1234.com.example.app", kSecAttrLabel: "Countess",
            ]
            #expect(Items.update(query, changes) == errSecSuccess)
            let halves = [ada.half(.certificate), ada.half(.key)].map(Items.attributes)
            let group = "TEAMID1234.com.example.app"
            #expect(halves.map { $0[.accessGroup] as? String } == [group, group])
            #expect(halves.map { $0[.label] as? String } == ["Countess", "Countess"])
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
            #expect(Items.attributes(.reference(bob.certificate))[.label] as? String == "Bob")
        }
    }

    @Test func `changes nothing when a half cannot follow`() throws {
        try onNewDevice(groups: ["com.example.shared"]) { _ in
            let ada = Person.ada
            let app: Attributes = [kSecAttrAccessGroup: "TEAMID1234.com.example.app"]
            let inApp = Attributes.reference(ada.key).with(app)
            #expect(Items.add(inApp) == errSecSuccess)
            #expect(Items.add(.reference(ada.identity)) == errSecSuccess)
            let before = Snapshot()
            let shared: Attributes = [kSecAttrAccessGroup: "TEAMID1234.com.example.shared"]
            #expect(Items.update(.identities.with(shared), app) == errSecDuplicateItem)
            #expect(Items.update(.identities, [kSecAttrAccessGroup: "foreign"]) == -34018)
            #expect(Snapshot() == before)
        }
    }

    @Test func `that is not there is not found`() throws {
        try onNewDevice { _ in
            Items.add(.reference(Person.ada.certificate))
            #expect(Items.update(.identities, [kSecAttrLabel: "x"]) == errSecItemNotFound)
            let query = Attributes.reference(Person.ada.identity)
            #expect(Items.update(query, [kSecAttrLabel: "x"]) == errSecItemNotFound)
        }
    }
}
