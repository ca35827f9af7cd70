import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

private let own = Data((0..<70).map { UInt8($0) })
private var labelled: Attributes { [kSecClass: kSecClassKey, kSecAttrApplicationLabel: own] }

/// A way in which a key comes into the keychain under a label of its owner's own.
private struct Entry: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Stores the private half, and returns its object.
    let store: @Sendable () -> SecKey?

    private static var permanent: Attributes {
        [kSecAttrIsPermanent: true, kSecAttrApplicationLabel: own]
    }

    static let all = [
        Entry(testDescription: "by reference") {
            let key = Person.ada.key
            let add = Attributes.reference(key).with([kSecAttrApplicationLabel: own])
            return Items.add(add) == errSecSuccess ? key : nil
        },
        Entry(testDescription: "as half of an identity") {
            let add = Attributes.reference(Person.ada.identity).with([
                kSecAttrApplicationLabel: own
            ])
            return Items.add(add) == errSecSuccess ? Person.ada.key : nil
        },
        Entry(testDescription: "generated") {
            Keys.make(KeyPair.p256.parameters.with([kSecPrivateKeyAttrs: permanent])).value
        },
        Entry(testDescription: "generated in the secure element") {
            let parameters = KeyPair.p256.parameters.with([
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: permanent,
            ])
            return Keys.make(parameters).value
        },
    ]
}

@Suite struct `A key under a label of its owner's own` {
    @Test(.requirement("CLS-25"), arguments: Entry.all)
    fileprivate func `is found by that label and by its object, and says so`(entry: Entry) throws {
        try onNewDevice { device in
            let key = try #require(entry.store())
            #expect(Items.object(labelled, as: SecKey.self) == key)
            #expect(Items.object(.reference(key), as: SecKey.self) == key)
            let stored = Items.attributes(labelled)
            #expect(stored[.applicationLabel] as? Data == own)
            #expect(stored[.publicKeyHash] == nil)
            let hash = try #require(Keys.attributes(key)[.applicationLabel] as? Data)
            let byHash = Attributes.keys.with([kSecAttrApplicationLabel: hash])
            #expect(Items.find(byHash).status == errSecItemNotFound)
            #expect(device.finding("own-application-label")?.status == errSecSuccess)
            let reference = try #require(Items.reference(labelled))
            #expect(Items.object([kSecValuePersistentRef: reference], as: SecKey.self) == key)
            #expect(Items.delete(.reference(key)) == errSecSuccess)
            #expect(Items.count(.keys) == 0)
        }
    }

    @Test(.requirement("CLS-24", "CLS-25"))
    func `is noted only where somebody names one`() throws {
        try onNewDevice { device in
            let key = try #require(Keys.make(KeyPair.p256.parameters).value)
            #expect(Items.add(.reference(key)) == errSecSuccess)
            let hash = try #require(Keys.attributes(key)[.applicationLabel] as? Data)
            #expect(Items.attributes(.keys)[.applicationLabel] as? Data == hash)
            #expect(device.finding("own-application-label") == nil)
        }
    }

    @Test(.requirement("CLS-25", "CRT-04"), arguments: [false, true])
    func `forms its identity, also after a restart and from a backup`(isRestored: Bool) throws {
        let ada = Person.ada
        let device = try SimulatedDevice()
        let manifest = SimulatedApp.Manifest(bundleIdentifier: "com.example.app")
        let app = device.install(manifest)
        app.run {
            let add = Attributes.reference(ada.key).with([kSecAttrApplicationLabel: own])
            #expect(Items.add(add) == errSecSuccess)
            #expect(Items.add(.reference(ada.certificate)) == errSecSuccess)
        }
        var reader = app
        if isRestored {
            let other = try SimulatedDevice()
            _ = try other.restore(try device.backup(password: "tape"), password: "tape")
            reader = other.install(manifest)
        } else {
            device.reboot()
            try device.unlock(passcode: "0000")
        }
        reader.run {
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
            let named = Attributes.identities.with([kSecAttrApplicationLabel: own])
            #expect(Items.object(named, as: SecIdentity.self) == ada.identity)
            #expect(Items.attributes(.identities)[.applicationLabel] as? Data == own)
            #expect(Items.delete(.reference(ada.identity)) == errSecSuccess)
            #expect(Items.count(.keys) == 0 && Items.count(.certificates) == 0)
        }
    }

    @Test(.requirement("CRT-06"))
    func `is not the key of a certificate whose hash it is labelled with`() throws {
        try onNewDevice { _ in
            let bob = Person.bob
            let claim = Attributes.reference(Person.ada.key).with([
                kSecAttrApplicationLabel: bob.certificate.keyHash
            ])
            #expect(Items.add(claim) == errSecSuccess)
            #expect(Items.add(.reference(bob.certificate)) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("CLS-25"))
    func `keeps its identity under another label`() throws {
        try onNewDevice(behavior: .appleSource) { _ in
            let ada = Person.ada
            Items.add(.reference(ada.certificate))
            Items.add(Attributes.reference(ada.key).with([kSecAttrApplicationLabel: own]))
            let renamed: Attributes = [kSecAttrApplicationLabel: Data("renamed".utf8)]
            #expect(Items.update(labelled, renamed) == errSecSuccess)
            #expect(Items.object(Attributes.keys.with(renamed), as: SecKey.self) == ada.key)
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
        }
    }

    @Test(.requirement("CLS-25", "CRT-12"))
    func `is found for its certificate on macOS`() throws {
        try onNewDevice(.macOS(26)) { _ in
            let ada = Person.ada
            let add = Attributes.reference(ada.key).with([
                kSecAttrApplicationLabel: own, kSecUseDataProtectionKeychain: true,
            ])
            #expect(Items.add(add) == errSecSuccess)
            var identity: SecIdentity?
            let status = SecIdentityCreateWithCertificate(nil, ada.certificate, &identity)
            #expect(status == errSecSuccess && identity == ada.identity)
        }
    }

    @Test(.requirement("CLS-04"))
    func `is another item than the same key under another label`() throws {
        try onNewDevice { _ in
            let key = Person.ada.key
            let add = Attributes.reference(key).with([kSecAttrApplicationLabel: own])
            #expect(Items.add(add) == errSecSuccess)
            #expect(Items.add(add) == errSecDuplicateItem)
            #expect(Items.add(.reference(key)) == errSecSuccess)
            #expect(Items.count(.reference(key)) == 2)
        }
    }

    @Test func `is no attribute that a caller could name for a key`() throws {
        try onNewDevice { _ in
            let add = Attributes.reference(Person.ada.key).with([kSecAttrPublicKeyHash: own])
            #expect(Items.add(add) == errSecNoSuchAttr)
            let query = Attributes.keys.with([kSecAttrPublicKeyHash: own])
            #expect(Items.find(query).status == errSecNoSuchAttr)
        }
    }
}
