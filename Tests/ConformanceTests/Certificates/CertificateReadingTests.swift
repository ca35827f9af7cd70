import Security
import TestSupport
import Testing

@Suite struct `Reading a certificate` {
    private static func read(_ bytes: some Sequence<UInt8>) -> SecCertificate? {
        SecCertificateCreateWithData(nil, Data(bytes) as CFData)
    }

    @Test(.requirement("CRT-01", "CRT-16"))
    func `takes DER and gives it back`() throws {
        let certificate = Certificates.ada.certificate
        #expect(SecCertificateCopyData(certificate) as Data == Certificates.ada.data)
        #expect(Self.read(Certificates.ada.bytes) == certificate)
        #expect(Self.read(Certificates.bob.bytes) != certificate)
    }

    @Test(.requirement("CRT-01"))
    func `refuses PEM`() {
        let body = Certificates.ada.data.base64EncodedString(options: .lineLength64Characters)
        let pem = "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
        #expect(Self.read(pem.utf8) == nil)
        #expect(Self.read(body.utf8) == nil)
    }

    @Test(.requirement("CRT-01"), arguments: Certificates.ada.bytes.indices)
    func `refuses a part of one`(length: Int) {
        #expect(Self.read(Certificates.ada.bytes.prefix(length)) == nil)
    }

    @Test(
        .requirement("CRT-01"),
        arguments: [[0], [0x30, 0x00], [0x0A], Certificates.ada.bytes] as [[UInt8]]
    )
    func `refuses one with something behind it`(rest: [UInt8]) {
        #expect(Self.read(Certificates.ada.bytes + rest) == nil)
    }

    @Test(
        .requirement("CRT-01"),
        arguments: [
            "", "00", "30 00", "30 80 00 00", "30 84 FF FF FF FF", "30 03 02 01 01",
            "30 0B 30 09 A0 03 02 01 02 02 02 10 01", "DE AD BE EF",
        ]
    )
    func `refuses what is none`(hex: String) {
        #expect(Self.read([UInt8](hex: hex)) == nil)
    }

    /// What is read of a damaged certificate is at least not the certificate.
    @Test(.requirement("CRT-01"), arguments: [Certificates.ada, Certificates.bob])
    func `survives a changed byte anywhere`(fixture: Fixture) throws {
        let intact = fixture.certificate
        let readable = SpoiledBytes.flipped(fixture.bytes, 0x55).filter { Self.read($0) != nil }
        let read = readable.compactMap { Self.read($0) }
        #expect(!read.isEmpty)
        #expect(!read.contains(intact))
        #expect(read.map { SecCertificateCopyData($0) as Data } == readable.map { Data($0) })
    }
}

@Suite struct `A certificate's subject summary` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fixture: Fixture
        let expected: String?

        init(_ name: String, _ fixture: Fixture, _ expected: String?) {
            testDescription = name
            self.fixture = fixture
            self.expected = expected
        }
    }

    @Test(
        .requirement("CRT-16"),
        arguments: [
            Row("common name", Certificates.ada, "Ada Lovelace"),
            Row("common name as it is written", Certificates.blanks, "  ada   of  LOVElace "),
            Row("common name beyond ASCII", Certificates.unicode, "  zoë   of  Łódź "),
            Row("last common name", Certificates.twice, "Inner"),
            Row("common name with description", Certificates.described, "Lathe (Workshop 3)"),
            Row("first e-mail address", Certificates.addressed, "front@example.com"),
            Row("first host name", Certificates.hosted, "host.example.com"),
            Row("organization", Certificates.organized, "Example Ltd"),
            Row("organizational unit", Certificates.unit, "Tools"),
            Row("whatever there is", Certificates.located, "London"),
            Row("nothing", Certificates.nameless, nil),
        ]
    )
    func `is the best name there is`(row: Row) throws {
        let summary = SecCertificateCopySubjectSummary(row.fixture.certificate)
        #expect(summary as String? == row.expected)
    }
}

@Suite struct `A certificate's fields` {
    @Test(.requirement("CRT-16"))
    func `are those that OpenSSL wrote`() throws {
        let certificate = Certificates.ada.certificate
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "Ada Lovelace")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["ada.lovelace@example.org", "ada@example.com"])
        let serial = SecCertificateCopySerialNumberData(certificate, nil)
        #expect(serial as Data? == Data([0x30, 0x01]))
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
    }

    @Test func `are nothing where there is none`() throws {
        let certificate = Certificates.nameless.certificate
        var name: CFString? = "old"
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name == nil)
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == [])
        #expect(SecCertificateCopyNormalizedSubjectSequence(certificate) as Data? == Data())
    }

    @Test(
        .requirement("CRT-02"),
        arguments: [
            (Certificates.root, "01"), (Certificates.server, "00 D2 34 56"),
            (Certificates.expired, "20 01"),
        ]
    )
    func `hold the serial number with its leading zero`(fixture: Fixture, hex: String) throws {
        let serial = SecCertificateCopySerialNumberData(fixture.certificate, nil)
        #expect(serial as Data? == Data(hex: hex))
    }

    struct Period: Sendable {
        let fixture: Fixture
        let start: String
        let end: String
    }

    /// The dates before 2050 and those after are written differently in a certificate.
    @Test(
        arguments: [
            Period(
                fixture: Certificates.adaRenewed,
                start: "2021-03-01T12:00:00Z",
                end: "2049-01-01T00:00:00Z"
            ),
            Period(
                fixture: Certificates.future,
                start: "2100-01-01T00:00:00Z",
                end: "2110-01-01T00:00:00Z"
            ),
        ]
    )
    func `hold the dates`(period: Period) throws {
        let certificate = period.fixture.certificate
        let start = SecCertificateCopyNotValidBeforeDate(certificate) as Date?
        let end = SecCertificateCopyNotValidAfterDate(certificate) as Date?
        #expect(start?.ISO8601Format() == period.start)
        #expect(end?.ISO8601Format() == period.end)
    }

    @Test(
        .requirement("CRT-02"),
        arguments: [
            // CN: PrintableString, upper case, single blanks.
            (Certificates.blanks, "31 19 30 17 06 03 55 04 03 13 10", "ADA OF LOVELACE"),
            // CN: UTF8String, untouched.
            (Certificates.unicode, "31 1E 30 1C 06 03 55 04 03 0C 15", "  zoë   of  Łódź "),
        ]
    )
    func `hold the names in the form that is compared`(
        fixture: Fixture,
        header: String,
        text: String
    ) throws {
        let certificate = fixture.certificate
        let count = UInt8(text.utf8.count)
        var prefix = [UInt8](hex: header)
        prefix[1] = count + 9
        prefix[3] = count + 7
        prefix[10] = count
        let expected = Data(prefix) + Data(text.utf8)
        #expect(SecCertificateCopyNormalizedSubjectSequence(certificate) as Data? == expected)
        #expect(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data? == expected)
    }

    @Test func `hold the address in the name as it is`() throws {
        let certificate = Certificates.addressed.certificate
        let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(certificate))
        #expect((subject as Data).range(of: Data("EXAMPLE LTD".utf8)) != nil)
        #expect((subject as Data).range(of: Data("desk@example.com".utf8)) != nil)
    }

    struct Certified: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fixture: Fixture
        let type: String
        let bitCount: Int
    }

    @Test(
        .requirement("CRT-16"),
        arguments: [
            Certified(
                testDescription: "RSA",
                fixture: Certificates.bob,
                type: "42",
                bitCount: 2048
            ),
            Certified(
                testDescription: "P-256",
                fixture: Certificates.ada,
                type: "73",
                bitCount: 256
            ),
            Certified(
                testDescription: "P-384",
                fixture: Certificates.p384,
                type: "73",
                bitCount: 384
            ),
            Certified(
                testDescription: "P-521",
                fixture: Certificates.p521,
                type: "73",
                bitCount: 521
            ),
            Certified(
                testDescription: "Ed25519",
                fixture: Certificates.ed25519,
                type: "105",
                bitCount: 256
            ),
        ]
    )
    func `hold the key`(row: Certified) throws {
        let key = try #require(SecCertificateCopyKey(row.fixture.certificate))
        let attributes = Keys.attributes(key)
        #expect(attributes[kSecAttrKeyType as String] as? String == row.type)
        #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == row.bitCount)
        #expect(attributes[kSecAttrKeyClass as String] as? String == "0")
        let bytes = try #require(Keys.export(key).value)
        #expect(row.fixture.data.range(of: bytes) != nil)
    }

    @Test(.requirement("CRT-16"))
    func `hold a key of an unknown kind, which is nil`() throws {
        #expect(SecCertificateCopyKey(Certificates.koblitz.certificate) == nil)
    }

    @Test(.requirement("CRT-16"), arguments: [Person.ada, .bob])
    func `hold the key that checks the owner's signature`(person: Person) throws {
        let key = try #require(SecCertificateCopyKey(person.certificate))
        #expect(key == SecKeyCopyPublicKey(person.key))
    }
}
