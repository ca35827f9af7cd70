import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// ★ An attribute, a value it takes, and the classes that Apple's header lists it for.
private struct HeaderRow: Sendable, CustomTestStringConvertible {
    let attribute: String
    let value: Sample
    /// `g`eneric password, `i`nternet password, `c`ertificate, `k`ey.
    let classes: String

    init(_ attribute: CFString, _ value: Sample, _ classes: String) {
        self.attribute = attribute as String
        self.value = value
        self.classes = classes
    }

    var testDescription: String { attribute }

    /// An identity has what its certificate and its key have.
    func isLegal(in itemClass: String) -> Bool {
        switch itemClass {
        case .identity: classes.contains("c") || classes.contains("k")
        default: itemClass.first.map(classes.contains) ?? false
        }
    }

    static let all = [
        // All classes.
        HeaderRow(kSecAttrAccessControl, .accessControl, "gick"),
        HeaderRow(kSecAttrAccessible, .text(.whenUnlocked), "gick"),
        HeaderRow(kSecAttrAccessGroup, .text("TEAMID1234.com.example.app"), "gick"),
        HeaderRow(kSecAttrSynchronizable, .bool(false), "gick"),
        HeaderRow(kSecAttrLabel, .text("label"), "gick"),
        HeaderRow(kSecAttrCreationDate, .date(0), "gick"),
        HeaderRow(kSecAttrModificationDate, .date(0), "gick"),
        // Passwords; the letters of creator and type are also those of a key's.
        HeaderRow(kSecAttrDescription, .text("kind"), "gi"),
        HeaderRow(kSecAttrComment, .text("comment"), "gi"),
        HeaderRow(kSecAttrCreator, .number(1), "gik"),
        HeaderRow(kSecAttrType, .number(1), "gik"),
        HeaderRow(kSecAttrIsInvisible, .bool(true), "gi"),
        HeaderRow(kSecAttrIsNegative, .bool(true), "gi"),
        HeaderRow(kSecAttrAccount, .text("ada"), "gi"),
        HeaderRow(kSecAttrService, .text("mail"), "g"),
        HeaderRow(kSecAttrGeneric, .data([1]), "g"),
        HeaderRow(kSecAttrSecurityDomain, .text("staff"), "i"),
        HeaderRow(kSecAttrServer, .text("example.com"), "i"),
        HeaderRow(kSecAttrProtocol, .text("http"), "i"),
        HeaderRow(kSecAttrAuthenticationType, .text("form"), "i"),
        HeaderRow(kSecAttrPort, .number(80), "i"),
        HeaderRow(kSecAttrPath, .text("/"), "i"),
        // Certificates.
        HeaderRow(kSecAttrCertificateType, .number(1), "c"),
        HeaderRow(kSecAttrCertificateEncoding, .number(3), "c"),
        HeaderRow(kSecAttrSubject, .data([1]), "c"),
        HeaderRow(kSecAttrIssuer, .data([1]), "c"),
        HeaderRow(kSecAttrSerialNumber, .data([1]), "c"),
        HeaderRow(kSecAttrSubjectKeyID, .data([1]), "c"),
        HeaderRow(kSecAttrPublicKeyHash, .data([1]), "c"),
        // Keys.
        HeaderRow(kSecAttrKeyClass, .text("1"), "k"),
        HeaderRow(kSecAttrApplicationLabel, .data([1]), "k"),
        HeaderRow(kSecAttrApplicationTag, .data([1]), "k"),
        HeaderRow(kSecAttrKeyType, .text("42"), "gik"),
        HeaderRow(kSecAttrKeySizeInBits, .number(256), "k"),
        HeaderRow(kSecAttrEffectiveKeySize, .number(256), "k"),
        HeaderRow(kSecAttrIsPermanent, .bool(true), "k"),
        HeaderRow(kSecAttrIsSensitive, .bool(true), "k"),
        HeaderRow(kSecAttrIsExtractable, .bool(true), "k"),
        HeaderRow(kSecAttrCanEncrypt, .bool(true), "k"),
        HeaderRow(kSecAttrCanDecrypt, .bool(true), "k"),
        HeaderRow(kSecAttrCanDerive, .bool(true), "k"),
        HeaderRow(kSecAttrCanSign, .bool(true), "k"),
        HeaderRow(kSecAttrCanVerify, .bool(true), "k"),
        HeaderRow(kSecAttrCanWrap, .bool(true), "k"),
        HeaderRow(kSecAttrCanUnwrap, .bool(true), "k"),
    ]
}

@Suite struct `The attributes of a class` {
    @Test(
        .requirement("CLS-31", "QRY-41"),
        arguments: HeaderRow.all,
        [String.genericPassword, .internetPassword, .certificate, .key]
    )
    private func `are those of Apple's header`(row: HeaderRow, itemClass: String) throws {
        try onNewDevice(behavior: .appleSource) { device in
            let item = ([kSecClass: itemClass] as Attributes).with(row.attribute, row.value)
            let isLegal = row.isLegal(in: itemClass)
            #expect(Items.find(item).status == (isLegal ? errSecItemNotFound : errSecNoSuchAttr))
            #expect(Items.add(item) == (isLegal ? errSecSuccess : errSecNoSuchAttr))
            #expect(Snapshot().lines.count == (isLegal ? 1 : 0))
            if !isLegal {
                let tag =
                    row.attribute == kSecAttrApplicationTag as String && itemClass == .certificate
                #expect(
                    device.finding(tag ? "tag-on-certificate" : "attribute-not-in-class")?.status
                        == errSecNoSuchAttr
                )
            }
        }
    }

    @Test(.requirement("CLS-31"), arguments: HeaderRow.all)
    private func `of an identity are its certificate's and its key's`(row: HeaderRow) throws {
        try onNewDevice { _ in
            let query = ([kSecClass: kSecClassIdentity] as Attributes).with(
                row.attribute,
                row.value
            )
            let expected = row.isLegal(in: .identity) ? errSecItemNotFound : errSecNoSuchAttr
            #expect(Items.find(query).status == expected)
            #expect(Items.delete(query) == expected)
        }
    }

    @Test(
        .requirement("CLS-15", "CLS-16", "QRY-41"),
        arguments: [
            (kSecClassInternetPassword as String, kSecAttrService as String),
            (kSecClassInternetPassword as String, kSecAttrGeneric as String),
            (kSecClassGenericPassword as String, kSecAttrServer as String),
            (kSecClassGenericPassword as String, kSecAttrApplicationTag as String),
            (kSecClassGenericPassword as String, "zzzz"),
            (kSecClassGenericPassword as String, "'; --"),
            (kSecClassGenericPassword as String, "data"),
            (kSecClassGenericPassword as String, "pkey"),
        ]
    )
    func `are no others`(itemClass: String, attribute: String) throws {
        try onNewDevice { _ in
            let bare: Attributes = [kSecClass: itemClass]
            Items.add(bare.holding("here"))
            let before = Snapshot()
            let item = bare.with(attribute, .text("value"))
            let expected = attribute.count == 4 ? errSecNoSuchAttr : errSecParam
            #expect(Items.add(item.holding("new")) == expected)
            #expect(Items.find(item).status == expected)
            #expect(Items.update(item, [kSecAttrLabel: "x"]) == expected)
            #expect(Items.delete(item) == expected)
            #expect(Snapshot() == before)
        }
    }

    @Test(arguments: [String.appClipItem, "persistref", "rowid"])
    func `are never the system's own`(attribute: String) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let item = Attributes.mail.with(attribute, .number(1))
            #expect(Items.add(item) == errSecParam)
            #expect(Items.find(item).status == errSecParam)
            #expect(Items.delete(item) == errSecParam)
            #expect(Snapshot() == before)
        }
    }
}
