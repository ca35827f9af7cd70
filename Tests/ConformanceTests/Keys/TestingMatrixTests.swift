import KeychainSimulator
import Security
import TestSupport
import Testing

/// ★ One of the six calls that show whether a keychain knows its item classes.
private struct MatrixRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: OSStatus
    /// How many items a key query finds in the end.
    let keyCount: Int
    let call: @Sendable () -> OSStatus

    private static var tag: Attributes {
        [kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("tag".utf8)]
    }

    static let all = [
        MatrixRow(
            testDescription: "an identity added from attributes",
            status: errSecParam,
            keyCount: 0,
            call: { Items.add([kSecClass: kSecClassIdentity, kSecAttrLabel: "Ada"]) }
        ),
        MatrixRow(
            testDescription: "a key added without its type",
            status: errSecParam,
            keyCount: 0,
            call: {
                Items.add(
                    tag.with([
                        kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecValueData: Data([1]),
                    ])
                )
            }
        ),
        MatrixRow(
            testDescription: "an item added twice",
            status: errSecDuplicateItem,
            keyCount: 1,
            call: {
                Items.add(tag.with([kSecValueRef: KeyPair.p256.privateKey]))
                return Items.add(tag.with([kSecValueRef: KeyPair.p256.privateKey]))
            }
        ),
        MatrixRow(
            testDescription: "a synchronizable item for this device only",
            status: errSecParam,
            keyCount: 0,
            call: {
                Items.add(
                    tag.with([
                        kSecValueRef: KeyPair.p256.privateKey, kSecAttrSynchronizable: true,
                        kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                    ])
                )
            }
        ),
        MatrixRow(
            testDescription: "an application tag on a certificate",
            status: errSecParam,
            keyCount: 0,
            call: {
                Items.add([
                    kSecClass: kSecClassCertificate, kSecAttrApplicationTag: Data("tag".utf8),
                ])
            }
        ),
        MatrixRow(
            testDescription: "a key query without the key's class",
            status: errSecSuccess,
            keyCount: 2,
            call: {
                Items.add(tag.with([kSecValueRef: KeyPair.p256.privateKey]))
                Items.add(tag.with([kSecValueRef: KeyPair.p256.publicKey]))
                return Items.find(tag).status
            }
        ),
    ]
}

@Suite struct `The testing matrix of the item classes` {
    @Test(
        .requirement("CLS-08", "CLS-20", "CLS-21", "CLS-22", "CLS-26", "CRT-07", "SYN-02"),
        arguments: MatrixRow.all
    )
    private func `gives the documented status`(row: MatrixRow) throws {
        try onNewDevice { _ in
            #expect(row.call() == row.status)
            let any: Attributes = [
                kSecClass: kSecClassKey, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            #expect(Items.count(any) == row.keyCount)
            #expect(Snapshot().lines.count == row.keyCount)
        }
    }
}
