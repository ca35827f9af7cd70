import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A key object` {
    @Test(arguments: KeyHalf.all)
    func `equals another of the same half of the same pair`(half: KeyHalf) throws {
        let again = try #require(Keys.read(half.bytes(), half.form).value)
        #expect(again !== half.key)
        #expect(again == half.key && AnyHashable(again) == AnyHashable(half.key))
        #expect(CFEqual(again, half.key) && CFHash(again) == CFHash(half.key))
        #expect(Set([again, half.key]).count == 1)
        let stranger = try half.pair.stranger()
        #expect(half.key != stranger && !CFEqual(half.key, stranger))
        #expect(SecKeyCopyPublicKey(stranger) != half.pair.publicKey)
        #expect(half.pair.privateKey != half.pair.publicKey)
    }

    @Test(.requirement("API-03")) func `has a type id of its own`() {
        #expect(CFGetTypeID(KeyPair.p256.privateKey) == SecKeyGetTypeID())
        #expect(CFGetTypeID(KeyPair.rsa.publicKey) == SecKeyGetTypeID())
        let others = CFTypeTests.typeIDs + [SecAccessControlGetTypeID()]
        #expect(!others.contains(SecKeyGetTypeID()))
        #expect(SecCertificateGetTypeID() != SecKeyGetTypeID())
        #expect(SecIdentityGetTypeID() != SecKeyGetTypeID())
    }

    @Test(arguments: KeyHalf.all)
    func `describes itself without its bytes`(half: KeyHalf) throws {
        let text = "\(half.key)"
        #expect(text.contains(half.isPrivate ? "private" : "public"))
        #expect(text.contains(String(half.pair.bitCount)))
        #expect(text.count < 60)
    }

    @Test(.requirement("KEY-15"), arguments: KeyHalf.all)
    func `has the block size of its modulus or curve`(half: KeyHalf) {
        #expect(SecKeyGetBlockSize(half.key) == half.pair.blockByteCount)
    }

    @Test(.requirement("KEY-03", "KEY-22"), arguments: KeyPair.all)
    func `hands out its public half`(pair: KeyPair) throws {
        let publicKey = try #require(SecKeyCopyPublicKey(pair.privateKey))
        #expect(publicKey == pair.publicKey)
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
    }

    @Test(.requirement("KEY-22", "CLS-20"), arguments: KeyHalf.all)
    func `tells its attributes, class and type as text`(half: KeyHalf) throws {
        let attributes = Keys.attributes(half.key)
        #expect(attributes[.type] as? String == String(half.pair.type))
        #expect(attributes[.keyClass] as? String == (half.isPrivate ? "1" : "0"))
        #expect(attributes[.itemClass] as? String == .key)
        #expect(attributes[.keySizeInBits] as? Int == half.pair.bitCount)
        #expect(attributes[.effectiveKeySize] as? Int == half.pair.bitCount)
        #expect(attributes[.isPermanent] as? Bool == true)
        let shared = try KeyHalf(pair: half.pair, isPrivate: false).bytes()
        #expect(try attributes[.applicationLabel] as? Data == OpenSSL.digest("sha1", shared))
        #expect(try attributes[.valueData] as? Data == half.bytes())
        let form: Attributes = [
            kSecAttrKeyType: try #require(attributes[.type]),
            kSecAttrKeyClass: try #require(attributes[.keyClass]),
        ]
        #expect(try Keys.read(half.bytes(), form).value == half.key)
    }

    @Test(arguments: KeyPair.curves)
    func `can be used from many threads at once`(pair: KeyPair) async throws {
        let message = Data("text".utf8)
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let fits = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<20).allSatisfy { _ in
                        let signature = Keys.sign(pair.privateKey, algorithm, message).value
                        return signature.map {
                            Keys.verify(pair.publicKey, algorithm, message, $0).value == true
                        } ?? false
                    }
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(fits)
    }
}

@Suite struct `A key that may not leave` {
    private static var tagged: Attributes {
        [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("kept".utf8)]
    }

    private func expectKept(_ key: SecKey, _ pair: KeyPair) throws {
        #expect(Keys.export(key).isRefusal(errSecKeyIsSensitive))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(Keys.export(publicKey).value != nil)
        guard pair.type != 106 else { return }
        let use = try #require(AlgorithmUse.signatures.last { $0.pair == pair })
        let input = Data(count: use.row.digestByteCount ?? 8)
        let signature = try #require(Keys.sign(key, use.algorithm, input).value)
        #expect(Keys.verify(publicKey, use.algorithm, input, signature).value == true)
    }

    @Test(arguments: KeyPair.all)
    func `signs and is not exported`(pair: KeyPair) throws {
        let kept = pair.parameters.with([
            kSecPrivateKeyAttrs: [kSecAttrIsExtractable: false] as Attributes
        ])
        let made = try #require(Keys.make(kept).value)
        try expectKept(made, pair)
        let bytes = try KeyHalf(pair: pair, isPrivate: true).bytes()
        let form = pair.form(isPrivate: true).with([kSecAttrIsExtractable: false])
        let read = try #require(Keys.read(bytes, form).value)
        #expect(read == pair.privateKey)
        try expectKept(read, pair)
    }

    @Test(arguments: KeyPair.all)
    func `is not exported after it was stored either`(pair: KeyPair) throws {
        try onNewDevice { _ in
            let permanent: Attributes = [
                kSecAttrIsPermanent: true, kSecAttrIsExtractable: false,
                kSecAttrApplicationTag: Data("kept".utf8),
            ]
            let made = Keys.make(pair.parameters.with([kSecPrivateKeyAttrs: permanent])).value
            let found = Items.find(Self.tagged.with([kSecReturnRef: true])).object as? SecKey
            let key = try #require(found)
            #expect(key == made)
            try expectKept(key, pair)
            let stored = Items.attributes(Self.tagged)
            #expect(
                stored[.isExtractable] as? Int == 0 && stored[.wasNeverExtractable] as? Int == 1
            )
        }
    }

    @Test func `is found by its reference, whatever the reference may`() throws {
        try onNewDevice { _ in
            let add = Self.tagged.with([
                kSecValueRef: KeyPair.p256.privateKey, kSecAttrIsExtractable: false,
            ])
            #expect(Items.add(add) == errSecSuccess)
            let kept = Items.find([
                kSecValueRef: KeyPair.p256.privateKey, kSecReturnRef: true,
            ])
            let key = try #require(kept.object as? SecKey)
            try expectKept(key, .p256)
            #expect(Items.find([kSecValueRef: key]).status == errSecSuccess)
        }
    }
}
