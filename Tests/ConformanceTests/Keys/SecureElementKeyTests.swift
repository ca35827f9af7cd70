import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// A pair made in the secure element of an app's device.
private struct ElementPair {
    static let tag = Data("signing".utf8)
    static let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

    /// What `SecKeyCreateRandomKey` is asked for.
    static func parameters(
        type: CFString = kSecAttrKeyTypeECSECPrimeRandom,
        bits: Int = 256,
        flags: SecAccessControlCreateFlags? = .privateKeyUsage,
        accessible: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        others: [String: Any] = [:]
    ) -> CFDictionary {
        var half: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag,
        ]
        if let flags {
            half[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(
                nil,
                accessible,
                flags,
                nil
            )
        } else {
            half[kSecAttrAccessible as String] = accessible
        }
        half.merge(others) { $1 }
        return [
            kSecAttrKeyType as String: type, kSecAttrKeySizeInBits as String: bits,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs as String: half,
        ] as CFDictionary
    }
}

extension SimulatedApp {
    fileprivate func makeKey(_ parameters: CFDictionary) -> (key: SecKey?, status: Int) {
        var error: Unmanaged<CFError>?
        let key = run { SecKeyCreateRandomKey(parameters, &error) }
        return (key, error?.takeRetainedValue().code ?? 0)
    }

    fileprivate func sign(_ key: SecKey, _ message: String = "message") -> (Data?, Int) {
        var error: Unmanaged<CFError>?
        let signature = run {
            SecKeyCreateSignature(
                key,
                ElementPair.algorithm,
                Data(message.utf8) as CFData,
                &error
            )
        }
        return (signature as Data?, error?.takeRetainedValue().code ?? 0)
    }

    fileprivate func find() -> (key: SecKey?, status: OSStatus) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: ElementPair.tag,
            kSecReturnRef as String: true,
        ]
        var result: CFTypeRef?
        let status = run { SecItemCopyMatching(query as CFDictionary, &result) }
        return (result as? SecKey, status)
    }
}

@Suite struct `A key of the secure element` {
    private let device: SimulatedDevice
    private let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.install(.init(bundleIdentifier: "com.example.app"))
    }

    private static let uses: [(SecAccessControlCreateFlags?, Int)] = [
        (.privateKeyUsage, 0), (nil, 0), ([], Int(errSecAuthFailed)),
    ]

    @Test(.requirement("SAC-13"), arguments: uses)
    func `signs when its access control allows private-key use`(
        flags: SecAccessControlCreateFlags?,
        status: Int
    ) throws {
        let key = try #require(app.makeKey(ElementPair.parameters(flags: flags)).key)
        let (signature, observed) = app.sign(key)
        #expect(observed == status)
        #expect((signature != nil) == (status == 0))
    }

    @Test func `makes signatures that its public half verifies`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        let signature = try #require(app.sign(key).0)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let message = Data("message".utf8) as CFData
        let other = Data("another".utf8) as CFData
        #expect(
            SecKeyVerifySignature(
                publicKey,
                ElementPair.algorithm,
                message,
                signature as CFData,
                nil
            )
        )
        #expect(
            !SecKeyVerifySignature(
                publicKey,
                ElementPair.algorithm,
                other,
                signature as CFData,
                nil
            )
        )
    }

    @Test func `is found again by its tag and still signs`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        let found = try #require(app.find().key)
        #expect(found == key)
        #expect(app.sign(found).1 == 0)
    }

    @Test func `agrees with another key`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        let peer = try #require(
            SecKeyCreateRandomKey(
                [
                    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                    kSecAttrKeySizeInBits as String: 256,
                ] as CFDictionary,
                nil
            )
        )
        let here = app.run {
            SecKeyCopyKeyExchangeResult(
                key,
                .ecdhKeyExchangeStandard,
                SecKeyCopyPublicKey(peer) ?? peer,
                [:] as CFDictionary,
                nil
            )
        }
        let there = SecKeyCopyKeyExchangeResult(
            peer,
            .ecdhKeyExchangeStandard,
            SecKeyCopyPublicKey(key) ?? key,
            [:] as CFDictionary,
            nil
        )
        #expect(here != nil)
        #expect(here as Data? == there as Data?)
    }

    @Test(.requirement("KEY-17"))
    func `never leaves, in any form`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        var error: Unmanaged<CFError>?
        #expect(SecKeyCopyExternalRepresentation(key, &error) == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecKeyIsSensitive))
        var data: CFTypeRef?
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecReturnData as String: true,
            kSecAttrApplicationTag as String: ElementPair.tag,
        ]
        #expect(app.run { SecItemCopyMatching(query as CFDictionary, &data) } == errSecSuccess)
        #expect(data == nil)
        let added = app.run {
            SecItemAdd(
                [
                    kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecValueData: Data([1]),
                ] as CFDictionary,
                nil
            )
        }
        #expect(added == errSecParam)
        let synchronized = ElementPair.parameters(
            flags: nil,
            accessible: kSecAttrAccessibleWhenUnlocked,
            others: [kSecAttrSynchronizable as String: true]
        )
        #expect(app.makeKey(synchronized).status == Int(errSecParam))
    }

    @Test(.requirement("KEY-17"))
    func `is imported in no way`() throws {
        #expect(app.makeKey(ElementPair.parameters()).key != nil)
        let pair = KeyPair.p256
        let bytes = try #require(Keys.export(pair.privateKey).value)
        let element: Attributes = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        let made = Keys.read(bytes, pair.form(isPrivate: true).with(element))
        #expect(made.isRefusal(errSecParam))
        app.run {
            let adds: [Attributes] = [
                element.with([kSecValueRef: pair.privateKey]),
                element.with([kSecClass: kSecClassKey, kSecValueData: bytes])
                    .with(pair.form(isPrivate: true)),
            ]
            #expect(adds.map { Items.add($0) } == [errSecParam, errSecParam])
            #expect(Items.count(.keys) == 1)
        }
    }

    /// A key that is not permanent is stored later, by its reference.
    @Test(.requirement("KEY-17"))
    func `is added by reference, found by its tag, changed and deleted`() throws {
        let loose = ElementPair.parameters(others: [kSecAttrIsPermanent as String: false])
        let key = try #require(app.makeKey(loose).key)
        let tag = Data("later".utf8)
        try app.run {
            #expect(Items.count(.keys) == 0)
            let reference: Attributes = [kSecValueRef: key]
            let synchronized = reference.with([kSecAttrSynchronizable: true])
            #expect(Items.add(synchronized) == errSecParam)
            #expect(Items.add(reference.with([kSecAttrApplicationTag: tag])) == errSecSuccess)
            #expect(Items.add(reference.with([kSecAttrApplicationTag: tag])) == errSecDuplicateItem)
            let tagged = Attributes.keys.with([kSecAttrApplicationTag: tag])
            #expect(Items.object(tagged, as: SecKey.self) == key)
            let stored = Items.attributes(tagged)
            #expect(stored[kSecAttrTokenID as String] as? String == "com.apple.setoken")
            let persistent = try #require(Items.reference(tagged))
            let byReference: Attributes = [kSecValuePersistentRef: persistent]
            #expect(Items.object(byReference, as: SecKey.self) == key)
            #expect(Items.update(reference, [kSecAttrLabel: "new"]) == errSecSuccess)
            #expect(Items.attributes(tagged)[kSecAttrLabel as String] as? String == "new")
            #expect(Items.delete(reference) == errSecSuccess)
            #expect(Items.find(tagged).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("KEY-17")) func `is added by reference on its own device only`() throws {
        let loose = ElementPair.parameters(others: [kSecAttrIsPermanent as String: false])
        let key = try #require(app.makeKey(loose).key)
        let other = try SimulatedDevice().install(.init(bundleIdentifier: "com.example.app"))
        #expect(other.run { Items.add([kSecValueRef: key]) } == errSecDecode)
    }

    @Test(.requirement("KEY-17"), arguments: [BehaviorProfile.documented, .appleSource])
    func `neither synchronizes nor changes its bytes by an update`(
        behavior: BehaviorProfile
    ) throws {
        try onNewDevice(behavior: behavior) { _ in
            let parameters = ElementPair.parameters(
                flags: nil,
                accessible: kSecAttrAccessibleWhenUnlocked
            )
            #expect(SecKeyCreateRandomKey(parameters, nil) != nil)
            #expect(Items.add(.reference(KeyPair.p256.privateKey)) == errSecSuccess)
            let before = Snapshot()
            let element = Attributes.keys.with([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])
            let changes: [Attributes] = [
                [kSecAttrSynchronizable: true], [kSecValueData: Data([1])],
                [kSecAttrTokenID: ""],
            ]
            let statuses = changes.map { Items.update(element, $0) }
            #expect(statuses == [errSecParam, errSecParam, errSecParam])
            let ordinary = Attributes.reference(KeyPair.p256.privateKey)
            let token: Attributes = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
            #expect(Items.update(ordinary, token) == errSecParam)
            #expect(Snapshot() == before)
            #expect(Items.update(element, [kSecAttrLabel: "signing"]) == errSecSuccess)
        }
    }

    /// ★ What the store refuses in the public half, which is stored beside the key.
    @Test(
        .requirement("KEY-02"),
        arguments: [
            (kSecAttrAccessGroup as String, "TEAMID1234.foreign", -34018),
            (kSecAttrAccessible as String, "often", -50),
            (kSecAttrAccount as String, "ada", -25303),
        ] as [(String, String, OSStatus)]
    )
    func `is not stored without the public half that belongs to it`(
        attribute: String,
        value: String,
        status: OSStatus
    ) throws {
        try onNewDevice { _ in
            var parameters = KeyPair.p256.parameters.with([
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent as String: true],
            ])
            parameters[kSecPublicKeyAttrs] = [
                kSecAttrIsPermanent as String: true, attribute: value,
            ]
            #expect(Keys.make(parameters).isRefusal(status))
            #expect(Items.count(.keys) == 0)
            parameters[kSecPublicKeyAttrs] = [kSecAttrIsPermanent as String: true]
            let key = try #require(Keys.make(parameters).value)
            let halves = Items.objects(.keys, as: SecKey.self)
            #expect(halves == [key, try #require(SecKeyCopyPublicKey(key))])
            let stored = Attributes.keys.with([kSecAttrKeyClass: kSecAttrKeyClassPublic])
            #expect(
                Items.attributes(stored)[.applicationLabel] as? Data == Keys.attributes(key)[
                    .applicationLabel
                ] as? Data
            )
            #expect(Items.attributes(stored)[.tokenID] == nil)
        }
    }

    @Test func `is out of reach while locked, also for those who hold it`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        device.lock()
        #expect(app.sign(key).1 == Int(errSecInteractionNotAllowed))
        #expect(app.find().status == errSecInteractionNotAllowed)
        try device.unlock(passcode: "0000")
        #expect(app.sign(key).1 == 0)
    }

    @Test(.requirement("SAC-29"))
    func `signs in the background while locked if its class allows`() throws {
        let parameters = ElementPair.parameters(
            accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        )
        let key = try #require(app.makeKey(parameters).key)
        device.lock()
        let signature = app.run(.background) {
            SecKeyCreateSignature(key, ElementPair.algorithm, Data([1]) as CFData, nil)
        }
        #expect(signature != nil)
    }

    @Test func `is of no use on another device`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        let other = try SimulatedDevice().install(.init(bundleIdentifier: "com.example.app"))
        // CryptoTokenKit's number for corrupted data.
        #expect(other.sign(key) == (nil, -3))
    }

    @Test func `is gone with an erased device`() throws {
        let key = try #require(app.makeKey(ElementPair.parameters()).key)
        device.erase()
        let again = device.install(.init(bundleIdentifier: "com.example.app"))
        #expect(again.find().status == errSecItemNotFound)
        #expect(again.sign(key) == (nil, -3))
    }

    private static let otherKinds = [("42", 2048), ("73", 384), ("73", 521)]

    @Test(.requirement("KEY-16"), arguments: otherKinds)
    func `is on P-256 and on no other curve`(type: String, bits: Int) {
        let (key, status) = app.makeKey(
            ElementPair.parameters(type: type as CFString, bits: bits)
        )
        #expect(key == nil)
        #expect(status == Int(errSecParam))
        #expect(app.find().status == errSecItemNotFound)
    }

    @Test func `does not exist in Apple's iOS Simulator`() throws {
        let simulator = try SimulatedDevice(system: .iOSSimulator)
        let app = simulator.install(.init(bundleIdentifier: "com.example.app"))
        let (key, status) = app.makeKey(ElementPair.parameters())
        #expect(key == nil)
        #expect(status == Int(errSecUnimplemented))
    }
}
