import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// Everything that is stored in the class of keys.
private var everyKey: Attributes { [kSecClass: kSecClassKey] }
private let tag = Data("com.example.app.signing".utf8)
private var tagged: Attributes { [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] }

@Suite struct `Generating a key` {
    @Test(.requirement("KEY-01", "KEY-04"), arguments: KeyPair.all)
    func `makes a pair of the kind`(pair: KeyPair) throws {
        try onNewDevice { _ in
            let key = try pair.another()
            let attributes = Keys.attributes(key)
            #expect(attributes[.type] as? String == String(pair.type))
            #expect(attributes[.keyClass] as? String == "1")
            #expect(attributes[.keySizeInBits] as? Int == pair.bitCount)
            #expect(SecKeyGetBlockSize(key) == pair.blockByteCount)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(Keys.attributes(publicKey)[.keyClass] as? String == "0")
            let stranger = try pair.another()
            #expect(key != stranger)
            #expect(Items.count(everyKey) == 0)
        }
    }

    @Test(.requirement("KEY-13"), arguments: [512, 1024, 1031, 1536])
    func `makes RSA keys of other sizes`(bitCount: Int) throws {
        let parameters = KeyPair.rsa.parameters.with([kSecAttrKeySizeInBits: bitCount])
        let key = try #require(Keys.make(parameters).value)
        #expect(Keys.attributes(key)[.keySizeInBits] as? Int == bitCount)
        #expect(SecKeyGetBlockSize(key) == (bitCount + 7) / 8)
    }

    @Test(
        .requirement("KEY-01"),
        arguments: [Sample.text("73"), .number(73), .real(73)],
        [Sample.number(256), .text("256"), .real(256)]
    )
    func `takes the type and the size as text or number`(type: Sample, size: Sample) {
        let made = Keys.make([kSecAttrKeyType: type.object, kSecAttrKeySizeInBits: size.object])
        #expect(made.value != nil && made.status == errSecSuccess)
    }

    @Test(
        .requirement("KEY-01"),
        arguments: [
            nil, .text("74"), .text("0"), .text(""), .text("EC"), .number(-1), .number(.max),
            .text("2147483649"), .data([73]), .null, .list, .dictionary, .stranger,
        ] as [Sample?]
    )
    func `needs a type that there is`(type: Sample?) throws {
        try onNewDevice { _ in
            var parameters: Attributes = [kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true]
            if let type { parameters[kSecAttrKeyType] = type.object }
            #expect(Keys.make(parameters).isRefusal(errSecParam))
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, nil) == nil)
            #expect(Items.count(everyKey) == 0)
        }
    }

    @Test(
        .requirement("KEY-01"),
        arguments: KeyPair.all,
        [
            nil, .number(0), .number(-256), .number(255), .number(257), .number(511),
            .number(8193), .number(.max), .number(.min), .real(256.5), .text("large"),
            .text(""), .data([1, 0]), .null, .list,
        ] as [Sample?]
    )
    func `needs a size that there is`(pair: KeyPair, size: Sample?) throws {
        try onNewDevice { _ in
            var parameters = pair.parameters.with([kSecAttrIsPermanent: true])
            parameters[kSecAttrKeySizeInBits] = size?.object
            #expect(Keys.make(parameters).isRefusal(errSecParam))
            #expect(Items.count(everyKey) == 0)
        }
    }

    @Test(.requirement("KEY-01"), arguments: [192, 224, 320, 512, 1024])
    func `knows three curves over prime fields`(bitCount: Int) {
        let parameters = KeyPair.p256.parameters.with([kSecAttrKeySizeInBits: bitCount])
        #expect(Keys.make(parameters).isRefusal(errSecParam))
    }

    @Test func `is refused without any parameters`() {
        #expect(Keys.make([:]).isRefusal(errSecParam))
    }

    @Test(.requirement("API-09")) func `reports an error that can be thrown`() {
        var error: Unmanaged<CFError>?
        #expect(SecKeyCreateRandomKey([:] as CFDictionary, &error) == nil)
        guard let failure = error?.takeRetainedValue() else {
            Issue.record("no error came back")
            return
        }
        let thrown = failure as Error
        #expect((thrown as NSError).code == Int(errSecParam))
        #expect((thrown as NSError).domain == NSOSStatusErrorDomain)
    }

    @Test func `also hands out both halves`() throws {
        try onNewDevice { _ in
            let keys = Deprecated.keys
            let pair = keys.pair(of: KeyPair.p256.parameters)
            let made = try #require(pair)
            #expect(SecKeyCopyPublicKey(made.privateKey) == made.publicKey)
            #expect(keys.status([:]) == errSecParam)
            let permanent = KeyPair.p256.parameters.with([kSecAttrIsPermanent: true])
            #expect(keys.status(permanent) == errSecSuccess)
            #expect(Items.count(everyKey) == 2)
        }
    }
}

@Suite struct `A permanent key` {
    private func parameters(
        _ pair: KeyPair = .p256,
        common: Attributes = [:],
        privately: Attributes? = nil,
        publicly: Attributes? = nil
    ) -> Attributes {
        var parameters = pair.parameters.with(common)
        parameters[kSecPrivateKeyAttrs] = privately
        parameters[kSecPublicKeyAttrs] = publicly
        return parameters
    }

    @Test(.requirement("KEY-03", "KEY-04", "KEY-05"), arguments: KeyPair.all)
    func `is the private half alone, found by its tag`(pair: KeyPair) throws {
        try onNewDevice { _ in
            let permanent: Attributes = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]
            let key = try #require(Keys.make(parameters(pair, privately: permanent)).value)
            #expect(Items.count(everyKey) == 1)
            let stored = Items.attributes(tagged)
            #expect(stored[.keyClass] as? Int == 1)
            #expect(stored[.type] as? Int == pair.type)
            #expect(stored[.keySizeInBits] as? Int == pair.bitCount)
            #expect(stored[.accessible] as? String == .whenUnlocked)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let shared = try #require(Keys.export(publicKey).value)
            if let byteCount = pair.publicByteCount { #expect(shared.count == byteCount) }
            #expect(try stored[.applicationLabel] as? Data == OpenSSL.digest("sha1", shared))
            let found = Items.find(tagged.with([kSecReturnRef: true])).object as? SecKey
            #expect(found == key)
            #expect(found.flatMap { SecKeyCopyPublicKey($0) } == publicKey)
        }
    }

    @Test(.requirement("KEY-03"))
    func `is described by dictionaries of either style`() throws {
        try onNewDevice { _ in
            let style: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits as String: 256,
                kSecPrivateKeyAttrs as String: [
                    kSecAttrIsPermanent as String: true,
                    kSecAttrApplicationTag as String: tag,
                ] as [String: Any],
            ]
            #expect(SecKeyCreateRandomKey(style as CFDictionary, nil) != nil)
            #expect(Items.count(tagged) == 1)
            let object: NSDictionary = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]
                    as NSDictionary,
            ]
            #expect(SecKeyCreateRandomKey(object, nil) != nil)
            #expect(Items.count(tagged) == 2)
        }
    }

    @Test func `is both halves when the whole pair is permanent`() throws {
        try onNewDevice { _ in
            let common: Attributes = [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag, kSecAttrLabel: "pair",
            ]
            let key = try #require(Keys.make(parameters(common: common)).value)
            #expect(Items.count(tagged) == 2)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let found = [kSecAttrKeyClassPrivate, kSecAttrKeyClassPublic].map { keyClass in
                let query = tagged.with([kSecAttrKeyClass: keyClass, kSecAttrLabel: "pair"])
                return Items.find(query.with([kSecReturnRef: true])).object as? SecKey
            }
            #expect(found == [key, publicKey])
        }
    }

    @Test func `follows the attributes of its half before the common ones`() throws {
        try onNewDevice { _ in
            let made = Keys.make(
                parameters(
                    common: [kSecAttrIsPermanent: true, kSecAttrLabel: "common"],
                    privately: [kSecAttrIsPermanent: false],
                    publicly: [kSecAttrLabel: "own"]
                )
            )
            #expect(made.value != nil)
            #expect(Items.count(everyKey) == 1)
            let stored = Items.attributes(everyKey)
            #expect(stored[.keyClass] as? Int == 0 && stored[.label] as? String == "own")
        }
    }

    /// ★ What the store refuses, in one half or in both.
    @Test(
        .requirement("KEY-02"),
        arguments: [
            ("private", kSecAttrAccessGroup as String, "TEAMID1234.foreign", -34018),
            ("public", kSecAttrAccessGroup as String, "TEAMID1234.foreign", -34018),
            ("private", kSecAttrAccessible as String, "often", -50),
            ("public", kSecAttrAccessible as String, "often", -50),
            ("public", kSecAttrAccount as String, "ada", -25303),
        ] as [(String, String, String, OSStatus)]
    )
    func `is stored with all that belongs to it or not at all`(
        half: String,
        attribute: String,
        value: String,
        status: OSStatus
    ) throws {
        try onNewDevice { _ in
            var parameters = parameters(common: [kSecAttrIsPermanent: true])
            parameters[half as CFString] = [attribute: value]
            #expect(Keys.make(parameters).isRefusal(status))
            #expect(Items.count(everyKey) == 0)
        }
    }

    @Test(.requirement("KEY-02"), arguments: ["private", "public"])
    func `is not half stored when one of the halves is locked`(lockedHalf: String) throws {
        try onNewDevice { device in
            var parameters = parameters(
                common: [
                    kSecAttrIsPermanent: true,
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                ]
            )
            parameters[lockedHalf as CFString] = [
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked
            ]
            device.lock()
            #expect(Keys.make(parameters).isRefusal(errSecInteractionNotAllowed))
            try device.unlock(passcode: "0000")
            #expect(Items.count(everyKey) == 0)
            #expect(Keys.make(parameters).value != nil)
            #expect(Items.count(everyKey) == 2)
        }
    }

    @Test func `can be made while the device is locked if its class allows it`() throws {
        try onNewDevice { device in
            device.lock()
            let permanent: Attributes = [
                kSecAttrIsPermanent: true,
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrApplicationTag: tag,
            ]
            let key = try #require(Keys.make(parameters(privately: permanent)).value)
            let found = Items.find(tagged.with([kSecReturnRef: true])).object as? SecKey
            #expect(found == key)
        }
    }
}
