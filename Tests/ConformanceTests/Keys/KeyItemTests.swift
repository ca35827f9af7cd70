import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// The private or public key with a tag of its own, for a query or an add.
private func tagged(_ tag: String) -> Attributes {
    [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data(tag.utf8)]
}

@Suite struct `A stored key` {
    @Test(.requirement("KEY-08", "KEY-04", "CLS-20"), arguments: KeyHalf.all)
    func `is described by the attributes of its half`(half: KeyHalf) throws {
        try onNewDevice { _ in
            #expect(Items.add([kSecValueRef: half.key]) == errSecSuccess)
            let stored = Items.attributes([kSecClass: kSecClassKey])
            #expect(half.flags.filter { stored[$0.key] as? Int != $0.value } == [:])
            #expect(stored[.keyClass] as? Int == (half.isPrivate ? 1 : 0))
            #expect(stored[.type] as? Int == half.pair.type)
            #expect(stored[.keySizeInBits] as? Int == half.pair.bitCount)
            #expect(stored[.effectiveKeySize] as? Int == half.pair.bitCount)
            #expect(stored[.startDate] as? Date == Date(timeIntervalSinceReferenceDate: 0))
            #expect(stored[.endDate] as? Date == Date(timeIntervalSinceReferenceDate: 0))
            #expect(stored[.creator] as? Int == 0)
            #expect(stored[.accessible] as? String == .whenUnlocked)
            #expect(stored[.itemClass] == nil && stored[.valueData] == nil)
        }
    }

    @Test(.requirement("CLS-24", "KEY-04"), arguments: KeyHalf.all)
    func `is labelled with the digest of its public key`(half: KeyHalf) throws {
        try onNewDevice { _ in
            Items.add([kSecValueRef: half.key])
            let shared = try KeyHalf(pair: half.pair, isPrivate: false).bytes()
            let label = try OpenSSL.digest("sha1", shared)
            let query: Attributes = [kSecClass: kSecClassKey, kSecAttrApplicationLabel: label]
            let found = Items.find(query.with([kSecReturnRef: true])).object as? SecKey
            #expect(found == half.key)
            #expect(Items.attributes(query)[.applicationLabel] as? Data == label)
        }
    }

    @Test(.requirement("CLS-24")) func `has the label that its certificate has for it`() throws {
        try onNewDevice { _ in
            let files = try KeyPair.p256.files()
            let der = try OpenSSL.run(
                "req -x509 -new -key private.der -keyform DER -subj /CN=Ada -outform DER",
                files: files
            )
            let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
            #expect(Items.add([kSecValueRef: certificate]) == errSecSuccess)
            Items.add([kSecValueRef: KeyPair.p256.privateKey])
            let label = Items.attributes([kSecClass: kSecClassKey])[.applicationLabel] as? Data
            let hash = Items.attributes([kSecClass: kSecClassCertificate])[.publicKeyHash] as? Data
            #expect(label != nil && label == hash)
        }
    }

    @Test(.requirement("KEY-22", "KEY-08"), arguments: KeyHalf.all)
    func `holds the bytes that the object exports`(half: KeyHalf) throws {
        try onNewDevice { _ in
            Items.add(tagged("bytes").with([kSecValueRef: half.key]))
            let bytes = try half.bytes()
            let data = Items.find(tagged("bytes").with([kSecReturnData: true])).data
            #expect(data == bytes)
        }
    }

    @Test(.requirement("KEY-08"), arguments: KeyHalf.all)
    func `takes further attributes beside the reference`(half: KeyHalf) throws {
        try onNewDevice(groups: ["shared"]) { _ in
            let add = tagged("own").with([
                kSecValueRef: half.key, kSecAttrLabel: "my key",
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                kSecAttrAccessGroup: "TEAMID1234.shared", kSecAttrCanSign: false,
            ])
            #expect(Items.add(add) == errSecSuccess)
            let stored = Items.attributes(tagged("own"))
            #expect(stored[.label] as? String == "my key")
            #expect(stored[.accessible] as? String == .afterFirstUnlock)
            #expect(stored[.accessGroup] as? String == "TEAMID1234.shared")
            #expect(stored[.canSign] as? Int == 0)
        }
    }

    @Test(.requirement("KEY-08")) func `is not made of bytes without a type`() throws {
        try onNewDevice { _ in
            let bytes = try KeyHalf(pair: .p256, isPrivate: true).bytes()
            let add = tagged("raw").with([
                kSecValueData: bytes, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ])
            #expect(Items.add(add) == errSecParam)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(arguments: KeyHalf.all)
    func `made of its bytes and a type gives the key`(half: KeyHalf) throws {
        try onNewDevice { _ in
            let add = tagged("raw").with(half.form).with([kSecValueData: try half.bytes()])
            #expect(Items.add(add) == errSecSuccess)
            let found = Items.find(tagged("raw").with([kSecReturnRef: true])).object as? SecKey
            #expect(found == half.key)
        }
    }

    @Test(arguments: KeyHalf.all)
    func `made of bytes that are none gives no key`(half: KeyHalf) throws {
        try onNewDevice { _ in
            let add = tagged("raw").with(half.form).holding("no key at all")
            #expect(Items.add(add) == errSecSuccess)
            let one = Items.find(tagged("raw").with([kSecReturnRef: true]))
            #expect(one.status == errSecSuccess && one.object == nil)
            let all = Items.find(
                tagged("raw").with([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
            )
            #expect(all.status == errSecSuccess && all.list.isEmpty)
        }
    }

    @Test(.requirement("QRY-40"), arguments: [Sample.stranger, .text("key"), .null, .list])
    func `is not made of a reference that is none`(reference: Sample) throws {
        try onNewDevice { _ in
            let query: Attributes = [kSecClass: kSecClassKey, kSecValueRef: reference.object]
            #expect(Items.add(query) == errSecParam)
            #expect(Items.find(query).status == errSecParam)
            #expect(Items.update(query, [kSecAttrLabel: "x"]) == errSecParam)
            #expect(Items.delete(query) == errSecParam)
        }
    }

    @Test(
        .requirement("KEY-08"),
        arguments: [String.genericPassword, .internetPassword, .certificate, .identity]
    )
    func `cannot be added to another class`(itemClass: String) throws {
        try onNewDevice { _ in
            let add: Attributes = [
                kSecClass: itemClass, kSecValueRef: KeyPair.p256.privateKey,
            ]
            #expect(Items.add(add) != errSecSuccess)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("CLS-04", "CLS-08"), arguments: KeyHalf.all)
    func `is a duplicate of itself and not of its other half`(half: KeyHalf) throws {
        try onNewDevice { _ in
            let add = tagged("one").with([kSecValueRef: half.key])
            #expect(Items.add(add) == errSecSuccess)
            #expect(Items.add(add) == errSecDuplicateItem)
            #expect(Items.add(add.with([kSecAttrLabel: "other"])) == errSecDuplicateItem)
            #expect(Items.add(tagged("two").with([kSecValueRef: half.key])) == errSecSuccess)
            let other = half.isPrivate ? half.pair.publicKey : half.pair.privateKey
            #expect(Items.add(tagged("one").with([kSecValueRef: other])) == errSecSuccess)
            let stranger = try half.pair.stranger()
            #expect(Items.add(tagged("one").with([kSecValueRef: stranger])) == errSecSuccess)
            #expect(Items.count([kSecClass: kSecClassKey]) == 4)
        }
    }
}

/// The half of a pair of which a flag is true.
private enum Holder {
    case both, publicHalf, privateHalf, neither

    func includes(privateHalf isPrivate: Bool) -> Bool {
        switch self {
        case .both: true
        case .publicHalf: !isPrivate
        case .privateHalf: isPrivate
        case .neither: false
        }
    }
}

extension KeyHalf {
    /// ★ What can be done with the half, and what is true of it: 1, or 0 where it is not.
    fileprivate var flags: [String: Int] {
        let isRSA = pair.type == 42
        let rows: [String: Holder] = [
            .canEncrypt: .publicHalf, .canVerify: .publicHalf, .canWrap: .publicHalf,
            .canDecrypt: isRSA ? .both : .privateHalf, .canSign: .privateHalf,
            .canUnwrap: .privateHalf, .canDerive: isRSA ? .neither : .privateHalf,
            .canSignRecover: .neither, .canVerifyRecover: .neither,
            .isPermanent: .both, .isPrivate: .both, .isModifiable: .both, .isExtractable: .both,
            .isSensitive: .neither, .wasAlwaysSensitive: .neither, .wasNeverExtractable: .neither,
        ]
        return rows.mapValues { $0.includes(privateHalf: isPrivate) ? 1 : 0 }
    }
}
