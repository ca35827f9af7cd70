import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Adding a certificate` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fixture: Fixture
        let version: Int
        let serial: String
        let hasSubjectKeyIdentifier: Bool
    }

    @Test(
        .requirement("CRT-02"),
        arguments: [
            Row(
                testDescription: "elliptic",
                fixture: Certificates.ada,
                version: 3,
                serial: "30 01",
                hasSubjectKeyIdentifier: true
            ),
            Row(
                testDescription: "RSA",
                fixture: Certificates.bob,
                version: 3,
                serial: "30 03",
                hasSubjectKeyIdentifier: true
            ),
            Row(
                testDescription: "negative serial number but for a zero",
                fixture: Certificates.server,
                version: 3,
                serial: "00 D2 34 56",
                hasSubjectKeyIdentifier: true
            ),
            Row(
                testDescription: "version 1",
                fixture: Certificates.v1,
                version: 1,
                serial: "08",
                hasSubjectKeyIdentifier: false
            ),
        ]
    )
    func `fills its attributes in`(row: Row) throws {
        try onNewDevice { _ in
            let certificate = row.fixture.certificate
            #expect(Items.add(.reference(certificate)) == errSecSuccess)
            let found = Items.attributes(.certificates)
            let issuer = SecCertificateCopyNormalizedIssuerSequence(certificate)
            let subject = SecCertificateCopyNormalizedSubjectSequence(certificate)
            #expect(found[.issuer] as? Data == issuer as Data?)
            #expect(found[.subject] as? Data == subject as Data?)
            #expect(found[.serialNumber] as? Data == Data(hex: row.serial))
            #expect(found[.publicKeyHash] as? Data == certificate.keyHash)
            #expect(found[.certificateType] as? Int == row.version)
            #expect(found[.certificateEncoding] as? Int == 3)
            let identifier = found[.subjectKeyID] as? Data
            #expect((identifier?.count == 20) == row.hasSubjectKeyIdentifier)
            // OpenSSL makes the identifier of the same bytes.
            if row.hasSubjectKeyIdentifier { #expect(identifier == found[.publicKeyHash] as? Data) }
        }
    }

    @Test(.requirement("CRT-02"))
    func `knows the hash of a key of an unknown kind`() throws {
        try onNewDevice { _ in
            #expect(Items.add(.reference(Certificates.koblitz.certificate)) == errSecSuccess)
            #expect((Items.attributes(.certificates)[.publicKeyHash] as? Data)?.count == 20)
        }
    }

    @Test func `stores the DER`() throws {
        try onNewDevice { _ in
            Items.add(.reference(Certificates.ada.certificate))
            let found = Items.find(.certificates.with([kSecReturnData: true]))
            #expect(found.data == Certificates.ada.data)
        }
    }

    @Test func `takes bare bytes as a value that says nothing of itself`() throws {
        try onNewDevice { _ in
            let bare = Attributes.certificates.with([kSecValueData: Certificates.ada.data])
            #expect(Items.add(bare) == errSecSuccess)
            let found = Items.attributes(.certificates)
            #expect(found[.issuer] as? Data == Data())
            #expect(found[.publicKeyHash] == nil && found[.label] == nil)
        }
    }

    @Test(arguments: [
        (Certificates.ada, "Ada Lovelace"), (Certificates.described, "Lathe (Workshop 3)"),
        (Certificates.hosted, "host.example.com"), (Certificates.nameless, nil),
    ])
    func `labels it with the subject's summary`(fixture: Fixture, label: String?) throws {
        try onNewDevice { _ in
            Items.add(.reference(fixture.certificate))
            #expect(Items.attributes(.certificates)[.label] as? String == label)
        }
    }

    @Test func `keeps a label that is given`() throws {
        try onNewDevice { _ in
            let labelled = Attributes.reference(Certificates.ada.certificate)
                .with([kSecAttrLabel: "mine"])
            #expect(Items.add(labelled) == errSecSuccess)
            #expect(Items.attributes(.certificates)[.label] as? String == "mine")
        }
    }

    @Test(.requirement("CRT-03", "CLS-05"))
    func `twice is refused, whatever the label`() throws {
        try onNewDevice { _ in
            let query = Attributes.reference(Certificates.ada.certificate)
            #expect(Items.add(query) == errSecSuccess)
            #expect(Items.add(query) == errSecDuplicateItem)
            #expect(Items.add(query.with([kSecAttrLabel: "other"])) == errSecDuplicateItem)
            #expect(Items.add(.certificates.with(query)) == errSecDuplicateItem)
            #expect(Items.count(.certificates) == 1)
        }
    }

    @Test(.requirement("CLS-05"))
    func `again with another serial number or group is not the same`() throws {
        try onNewDevice(groups: ["com.example.shared"]) { _ in
            let first = Attributes.reference(Certificates.ada.certificate)
            #expect(Items.add(first) == errSecSuccess)
            #expect(Items.add(.reference(Certificates.adaRenewed.certificate)) == 0)
            let elsewhere = first.with([kSecAttrAccessGroup: "TEAMID1234.com.example.app"])
            #expect(Items.add(elsewhere) == errSecSuccess)
            #expect(Items.add(first.with([kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(Items.count(.certificates) == 3)
        }
    }

    @Test(.requirement("CLS-26"))
    func `takes no application tag`() throws {
        try onNewDevice { _ in
            let tagged = Attributes.reference(Certificates.ada.certificate)
                .with([kSecAttrApplicationTag: Data("tag".utf8)])
            #expect(Items.add(tagged) == errSecParam)
            #expect(Items.find(.certificates).status == errSecItemNotFound)
        }
    }

    @Test(arguments: [String.genericPassword, .key])
    func `under another class is refused`(itemClass: String) throws {
        try onNewDevice { _ in
            let query = Attributes.reference(Certificates.ada.certificate)
            #expect(Items.add(query.with([kSecClass: itemClass])) != errSecSuccess)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("QRY-27"))
    func `returns it in the shape that is asked for`() throws {
        try onNewDevice { _ in
            let certificate = Certificates.ada.certificate
            let added = Items.adding(
                .reference(certificate).with([kSecReturnRef: true, kSecReturnPersistentRef: true])
            )
            #expect(added.status == errSecSuccess)
            #expect(added.attributes[kSecValueRef as String] as? SecCertificate == certificate)
            let reference = added.attributes[kSecValuePersistentRef as String] as? Data
            #expect(reference == Items.reference(.certificates))
        }
    }
}

@Suite struct `A stored certificate` {
    struct Lookup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: @Sendable (SecCertificate) throws -> Attributes

        init(_ name: String, _ query: @escaping @Sendable (SecCertificate) throws -> Attributes) {
            testDescription = name
            self.query = query
        }
    }

    /// A whole Name: the content in its SEQUENCE, with other letters and blanks.
    private static let wholeSubject = Data(
        hex: """
            30 22 31 20 30 1E 06 03 55 04 03 13 17
            20 61 64 61 20 20 20 20 6F 66 20 20 20 6C 6F 76 65 6C 61 63 65 20 20
            """
    )

    private static let lookups = [
        Lookup("issuer's content") {
            [kSecAttrIssuer: try #require(SecCertificateCopyNormalizedIssuerSequence($0))]
        },
        Lookup("issuer as a whole Name") { _ in [kSecAttrIssuer: wholeSubject] },
        Lookup("subject's content") {
            [kSecAttrSubject: try #require(SecCertificateCopyNormalizedSubjectSequence($0))]
        },
        Lookup("subject as a whole Name") { _ in [kSecAttrSubject: wholeSubject] },
        Lookup("issuer and serial number") {
            [
                kSecAttrIssuer: try #require(SecCertificateCopyNormalizedIssuerSequence($0)),
                kSecAttrSerialNumber: try #require(SecCertificateCopySerialNumberData($0, nil)),
            ]
        },
        Lookup("public key hash and issuer") {
            [
                kSecAttrPublicKeyHash: $0.keyHash, kSecAttrIssuer: wholeSubject,
            ]
        },
        Lookup("label") { _ in [kSecAttrLabel: "  ada   of  LOVElace "] },
        Lookup("reference") { [kSecValueRef: $0] },
        Lookup("persistent reference") {
            let reference = try #require(Items.reference(.reference($0)))
            return [kSecValuePersistentRef: reference]
        },
    ]

    @Test(.requirement("CRT-15", "QRY-24"), arguments: lookups)
    func `is found among others`(lookup: Lookup) throws {
        try onNewDevice { _ in
            let wanted = Certificates.blanks.certificate
            let fixtures = [Certificates.ada, Certificates.blanks, Certificates.described]
            for fixture in fixtures { Items.add(.reference(fixture.certificate)) }
            var query = try lookup.query(wanted)
            if query[kSecValuePersistentRef] == nil { query[kSecClass] = kSecClassCertificate }
            #expect(Items.objects(query, as: SecCertificate.self) == [wanted])
            #expect(Items.object(query, as: SecCertificate.self) == wanted)
        }
    }

    @Test(.requirement("CRT-15"))
    func `is found by the hash of its key`() throws {
        try onNewDevice { _ in
            let all = [Certificates.ada.certificate, Certificates.adaRenewed.certificate]
            for certificate in all { Items.add(.reference(certificate)) }
            Items.add(.reference(Certificates.bob.certificate))
            let hash = all[0].keyHash
            let query = Attributes.certificates.with([kSecAttrPublicKeyHash: hash])
            #expect(Items.objects(query, as: SecCertificate.self) == all)
            let other = Attributes.certificates.with([kSecAttrPublicKeyHash: Data(count: 20)])
            #expect(Items.find(other).status == errSecItemNotFound)
        }
    }

    @Test(
        arguments: [String.issuer, .subject, .serialNumber],
        [Sample.data([]), .data([0x30, 0x00]), .data([0x30, 0xFF]), .data([1])]
    )
    func `is not found under another name`(attribute: String, value: Sample) throws {
        try onNewDevice { _ in
            Items.add(.reference(Certificates.blanks.certificate))
            let query = Attributes.certificates.with(attribute, value)
            #expect(Items.find(query).status == errSecItemNotFound)
        }
    }

    @Test func `is not found by the reference of another`() throws {
        try onNewDevice { _ in
            Items.add(.reference(Certificates.blanks.certificate))
            let other = Attributes.reference(Certificates.ada.certificate)
            #expect(Items.find(other).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("QRY-11", "QRY-24", "API-08"))
    func `is one reference, without a limit`() throws {
        try onNewDevice { _ in
            let fixtures = [Certificates.ada, Certificates.bob, Certificates.root]
            let all = fixtures.map { $0.certificate }
            for certificate in all { Items.add(.reference(certificate)) }
            #expect(Items.object(.certificates, as: SecCertificate.self) == all[0])
            #expect(Items.object(.certificates, as: [Any].self) == nil)
            #expect(Items.objects(.certificates, as: SecCertificate.self) == all)
            #expect(Items.find(.certificates.with([kSecReturnData: true])).data != nil)
            #expect(!Items.attributes(.certificates).isEmpty)
        }
    }

    @Test(.requirement("QRY-27"))
    func `comes with everything that is asked for at once`() throws {
        try onNewDevice { _ in
            let certificate = Certificates.ada.certificate
            Items.add(.reference(certificate))
            let everything: Attributes = [
                kSecReturnRef: true, kSecReturnData: true, kSecReturnPersistentRef: true,
                kSecReturnAttributes: true,
            ]
            let found = Items.find(.certificates.with(everything)).attributes
            #expect(found[kSecValueRef as String] as? SecCertificate == certificate)
            #expect(found[kSecValueData as String] as? Data == Certificates.ada.data)
            #expect(
                found[kSecValuePersistentRef as String] as? Data == Items.reference(.certificates)
            )
            #expect(found[kSecAttrLabel as String] as? String == "Ada Lovelace")
            #expect(found[kSecClass as String] as? String == .certificate)
        }
    }

    @Test(.requirement("CLS-28"), arguments: [String.key, .identity])
    func `is readable before the first unlock, while its key is not`(itemClass: String) throws {
        try onNewDevice { device in
            let ada = Person.ada
            #expect(Items.add(.reference(ada.certificate)) == errSecSuccess)
            #expect(Items.add(.reference(ada.key)) == errSecSuccess)
            #expect(Items.attributes(.certificates)[.accessible] as? String == .always)
            device.reboot()
            #expect(Items.object(.certificates, as: SecCertificate.self) == ada.certificate)
            #expect(Items.find(.reference(ada.certificate)).status == errSecSuccess)
            let asked: Attributes = [kSecClass: itemClass, kSecReturnRef: true]
            #expect(Items.find(asked).status == errSecInteractionNotAllowed)
            try device.unlock(passcode: "0000")
            #expect(Items.object(.identities, as: SecIdentity.self) == ada.identity)
        }
    }

    @Test func `may be kept back until the device is unlocked`() throws {
        try onNewDevice { device in
            let query = Attributes.reference(Certificates.ada.certificate)
            let accessible = kSecAttrAccessibleWhenUnlocked
            #expect(Items.add(query.with([kSecAttrAccessible: accessible])) == errSecSuccess)
            device.lock()
            let asked = Attributes.certificates.with([kSecReturnRef: true])
            #expect(Items.find(asked).status == errSecInteractionNotAllowed)
        }
    }

    @Test func `can be renamed and deleted by reference`() throws {
        try onNewDevice { _ in
            let ada = Attributes.reference(Certificates.ada.certificate)
            Items.add(ada)
            Items.add(.reference(Certificates.bob.certificate))
            #expect(Items.update(ada, [kSecAttrLabel: "Countess"]) == errSecSuccess)
            #expect(Items.attributes(ada)[.label] as? String == "Countess")
            #expect(Items.delete(ada) == errSecSuccess)
            #expect(Items.delete(ada) == errSecItemNotFound)
            #expect(Items.attributes(.certificates)[.label] as? String == "Bob")
        }
    }
}
