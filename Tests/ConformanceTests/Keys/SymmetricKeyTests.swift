import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A symmetric key` {
    private static let bytes = Data((0..<32).map { UInt8($0) })

    private static var query: Attributes {
        [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
            kSecAttrApplicationTag: Data("aes".utf8),
        ]
    }

    private static var item: Attributes {
        query.with([
            kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: 256,
            kSecAttrApplicationLabel: Data("session".utf8), kSecValueData: bytes,
        ])
    }

    @Test(.requirement("KEY-14")) func `is stored as data`() throws {
        try onNewDevice { _ in
            #expect(Items.add(Self.item) == errSecSuccess)
            #expect(Items.find(Self.query.with([kSecReturnData: true])).data == Self.bytes)
            let stored = Items.attributes(Self.query)
            #expect(stored[.keyClass] as? Int == 2 && stored[.keySizeInBits] as? Int == 256)
            #expect(stored[.applicationLabel] as? Data == Data("session".utf8))
            #expect(Items.add(Self.item) == errSecDuplicateItem)
        }
    }

    @Test(
        .requirement("KEY-14"),
        arguments: [kSecAttrKeyTypeAES, kSecAttrKeyTypeRSA].map { $0 as String }
    )
    func `has no key object`(type: String) throws {
        try onNewDevice { _ in
            Items.add(Self.item.with([kSecAttrKeyType: type]))
            let one = Items.find(Self.query.with([kSecReturnRef: true]))
            #expect(one.status == errSecSuccess && one.object == nil)
            let all = Items.find(
                Self.query.with([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
            )
            #expect(all.status == errSecSuccess && all.list.isEmpty)
            let both = Items.find(Self.query.with([kSecReturnRef: true, kSecReturnData: true]))
            #expect(both.attributes[kSecValueRef as String] == nil)
            #expect(both.attributes[kSecValueData as String] as? Data == Self.bytes)
        }
    }

    @Test(.requirement("KEY-14")) func `stands beside key pairs under the same tag`() throws {
        try onNewDevice { _ in
            Items.add(Self.item)
            let tag: Attributes = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("aes".utf8),
            ]
            Items.add(tag.with([kSecValueRef: KeyPair.rsa.privateKey]))
            Items.add(tag.with([kSecValueRef: KeyPair.rsa.publicKey]))
            #expect(Items.count(tag) == 3)
            let references = Items.find(
                tag.with([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll])
            )
            #expect((references.object as? [SecKey])?.count == 2)
            #expect(Items.count(Self.query) == 1)
        }
    }

    @Test(.requirement("KEY-14")) func `is replaced and deleted like any item`() throws {
        try onNewDevice { _ in
            Items.add(Self.item)
            let next = Data(Self.bytes.reversed())
            #expect(Items.update(Self.query, [kSecValueData: next]) == errSecSuccess)
            #expect(Items.find(Self.query.with([kSecReturnData: true])).data == next)
            #expect(Items.delete(Self.query) == errSecSuccess)
            #expect(Items.find(Self.query).status == errSecItemNotFound)
        }
    }
}
