import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The primary key of a stored key` {
    /// ★ One attribute changed beside the same reference.
    @Test(
        .requirement("CLS-04", "CLS-07", "CLS-23"),
        arguments: [
            (kSecAttrApplicationTag as String, Sample.data([2])),
            (kSecAttrApplicationLabel as String, .data([9])),
            (kSecAttrKeyType as String, .number(999)),
            (kSecAttrKeySizeInBits as String, .number(255)),
            (kSecAttrEffectiveKeySize as String, .number(255)),
            (kSecAttrKeyClass as String, .number(7)),
            (kSecAttrAccessGroup as String, .text("TEAMID1234.shared")),
            (kSecAttrSynchronizable as String, .bool(true)),
        ] as [(String, Sample)]
    )
    func `tells the same key apart by each attribute`(attribute: String, value: Sample) throws {
        try onNewDevice(groups: ["other", "shared"]) { _ in
            let first: Attributes = [
                kSecValueRef: KeyPair.p256.privateKey, kSecAttrApplicationTag: Data([1]),
            ]
            #expect(Items.add(first) == errSecSuccess)
            #expect(Items.add(first.with(attribute, value)) == errSecSuccess)
            #expect(Items.add(first) == errSecDuplicateItem)
            #expect(Items.add(first.with(attribute, value)) == errSecDuplicateItem)
            let all: Attributes = [
                kSecClass: kSecClassKey, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            #expect(Items.count(all) == 2)
        }
    }

    @Test(
        .requirement("CLS-04", "CLS-14"),
        arguments: [
            (kSecAttrLabel as String, Sample.text("label")),
            (kSecAttrAccessible as String, .text(.afterFirstUnlockThisDeviceOnly)),
            (kSecAttrIsExtractable as String, .bool(false)),
            (kSecAttrCanSign as String, .bool(false)),
            (kSecAttrIsPermanent as String, .bool(false)),
        ] as [(String, Sample)]
    )
    func `is the same whatever else differs`(attribute: String, value: Sample) throws {
        try onNewDevice { _ in
            let first: Attributes = [kSecValueRef: KeyPair.p256.privateKey]
            #expect(Items.add(first) == errSecSuccess)
            #expect(Items.add(first.with(attribute, value)) == errSecDuplicateItem)
            #expect(Items.count([kSecClass: kSecClassKey]) == 1)
        }
    }

    @Test(.requirement("CLS-04", "CLS-08")) func `leaves the first key as it was`() throws {
        try onNewDevice { _ in
            let tag: Attributes = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8),
            ]
            Items.add(tag.with([kSecValueRef: KeyPair.p521.privateKey]))
            let before = Snapshot()
            let again = tag.with([kSecValueRef: KeyPair.p521.privateKey, kSecAttrLabel: "again"])
            #expect(Items.add(again) == errSecDuplicateItem)
            #expect(Snapshot() == before)
        }
    }
}
