import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// ★ A change of one attribute: of the primary key, or not.
private struct Variation: Sendable, CustomTestStringConvertible {
    let item: StoredClass
    let attribute: String
    let value: Sample

    init(_ item: StoredClass, _ attribute: CFString, _ value: Sample) {
        self.item = item
        self.attribute = attribute as String
        self.value = value
    }

    var testDescription: String { "\(item.testDescription): \(attribute)" }

    static let common: [Variation] = StoredClass.all.flatMap {
        [
            Variation($0, kSecAttrAccessGroup, .text("TEAMID1234.com.example.app")),
            Variation($0, kSecAttrSynchronizable, .bool(true)),
        ]
    }

    static let partOfKey: [Variation] =
        common + [
            Variation(.genericPassword, kSecAttrService, .text("post")),
            Variation(.genericPassword, kSecAttrAccount, .text("bob")),
            Variation(.internetPassword, kSecAttrServer, .text("example.com")),
            Variation(.internetPassword, kSecAttrProtocol, .text("http")),
            Variation(.internetPassword, kSecAttrPort, .number(8443)),
            Variation(.internetPassword, kSecAttrPath, .text("/outbox")),
            Variation(.internetPassword, kSecAttrAccount, .text("bob")),
            Variation(.internetPassword, kSecAttrSecurityDomain, .text("guests")),
            Variation(.internetPassword, kSecAttrAuthenticationType, .text("http")),
            Variation(.certificate, kSecAttrCertificateType, .number(3)),
            Variation(.certificate, kSecAttrIssuer, .data([1, 2])),
            Variation(.certificate, kSecAttrSerialNumber, .data([4, 5])),
            Variation(.key, kSecAttrApplicationLabel, .data([7, 8])),
            Variation(.key, kSecAttrApplicationTag, .data([2])),
            Variation(.key, kSecAttrKeyClass, .text("1")),
            Variation(.key, kSecAttrKeyType, .text("42")),
            Variation(.key, kSecAttrKeySizeInBits, .number(128)),
            Variation(.key, kSecAttrEffectiveKeySize, .number(128)),
        ]

    static let others: [Variation] =
        StoredClass.all.flatMap {
            [
                Variation($0, kSecAttrLabel, .text("label")),
                Variation($0, kSecAttrAccessible, .text(.afterFirstUnlockThisDeviceOnly)),
                Variation($0, kSecAttrAccessControl, .accessControl),
                Variation($0, kSecValueData, .data([1])),
                Variation($0, kSecAttrCreationDate, .date(0)),
            ]
        }
        + StoredClass.passwords.flatMap {
            [
                Variation($0, kSecAttrDescription, .text("kind")),
                Variation($0, kSecAttrComment, .text("comment")),
                Variation($0, kSecAttrCreator, .number(1)),
                Variation($0, kSecAttrType, .number(1)),
                Variation($0, kSecAttrIsInvisible, .bool(true)),
                Variation($0, kSecAttrIsNegative, .bool(true)),
            ]
        } + [
            Variation(.genericPassword, kSecAttrGeneric, .data([1])),
            Variation(.certificate, kSecAttrSubject, .data([1])),
            Variation(.certificate, kSecAttrSubjectKeyID, .data([1])),
            Variation(.certificate, kSecAttrPublicKeyHash, .data([1])),
            Variation(.certificate, kSecAttrCertificateEncoding, .number(3)),
            Variation(.key, kSecAttrIsPermanent, .bool(true)),
            Variation(.key, kSecAttrCanEncrypt, .bool(true)),
            Variation(.key, kSecAttrCanSign, .bool(true)),
            Variation(.key, kSecAttrCreator, .number(1)),
        ]
}

@Suite struct `The primary key` {
    @Test(
        .requirement("CLS-01", "CLS-02", "CLS-03", "CLS-04", "CLS-05", "CLS-07"),
        .contradiction("primary-keys"),
        arguments: Variation.partOfKey
    )
    private func `tells two items apart by each of its attributes`(row: Variation) throws {
        try onNewDevice(groups: ["shared"]) { _ in
            let varied = row.item.item.with(row.attribute, row.value)
            #expect(Items.add(row.item.item.holding("first")) == errSecSuccess)
            #expect(Items.add(varied.holding("second")) == errSecSuccess)
            #expect(Items.add(row.item.item.holding("third")) == errSecDuplicateItem)
            #expect(Items.add(varied.holding("third")) == errSecDuplicateItem)
            #expect(Items.value(varied) == "second")
            let all: Attributes = [
                kSecClass: row.item.code, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            #expect(Items.count(all) == 2)
        }
    }

    @Test(
        .requirement("CLS-01", "CLS-02", "CLS-04", "CLS-05", "CLS-08", "CLS-13", "CLS-14"),
        .contradiction("primary-keys"),
        arguments: Variation.others
    )
    private func `is not widened by any other attribute`(row: Variation) throws {
        try onNewDevice { _ in
            #expect(Items.add(row.item.item.holding("first")) == errSecSuccess)
            let before = Snapshot()
            let varied = row.item.item.holding("second").with(row.attribute, row.value)
            #expect(Items.add(varied) == errSecDuplicateItem)
            #expect(Snapshot() == before)
        }
    }

    @Test(.requirement("CLS-09"), arguments: StoredClass.all)
    func `takes an omitted attribute as empty`(row: StoredClass) throws {
        try onNewDevice(behavior: .appleSource) { _ in
            let bare: Attributes = [kSecClass: row.code]
            #expect(Items.add(bare.holding("first")) == errSecSuccess)
            #expect(Items.add(bare.holding("second")) == errSecDuplicateItem)
            let empty = row.key.reduce(bare) { item, part in
                item.with(part.key, Self.empty(like: part.value, of: part.key))
            }
            #expect(Items.add(empty) == errSecDuplicateItem)
            #expect(Items.find(empty).status == errSecSuccess)
            #expect(Items.value(bare) == "first")
        }
    }

    /// Numbers in the form of text are numbers.
    private static func empty(like value: Sample, of attribute: String) -> Sample {
        let numbers = [kSecAttrProtocol, kSecAttrKeyClass, kSecAttrKeyType].map { $0 as String }
        if numbers.contains(attribute) { return .number(0) }
        return switch value {
        case .number: .number(0)
        case .data: .data([])
        default: .text("")
        }
    }

    @Test(.requirement("CLS-19"))
    func `has a port, which is 0 when omitted`() throws {
        try onNewDevice { _ in
            let bare: Attributes = [
                kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com",
            ]
            let secure = bare.with([kSecAttrPort: 443])
            #expect(Items.add(bare.holding("none")) == errSecSuccess)
            #expect(Items.add(secure.holding("secure")) == errSecSuccess)
            #expect(Items.add(bare.with([kSecAttrPort: 0])) == errSecDuplicateItem)
            #expect(Items.value(bare.with([kSecAttrPort: 0])) == "none")
            #expect(Items.value(secure) == "secure")
            #expect(Items.attributes(secure)[.port] as? Int == 443)
        }
    }
}
