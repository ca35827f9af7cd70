import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// What `SecPKCS12Import` returned.
struct Imported {
    let status: OSStatus
    let items: [[String: Any]]?

    init(_ data: Data, _ options: Attributes) {
        var items: CFArray?
        status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
        self.items = items as? [[String: Any]]
    }

    init(_ fixture: Fixture, password: String? = "open sesame", _ more: Attributes = [:]) {
        let passphrase = password.map { [kSecImportExportPassphrase: $0] as Attributes } ?? [:]
        self.init(fixture.data, more.with(passphrase))
    }

    var identities: [SecIdentity] {
        (items ?? []).compactMap { $0[kSecImportItemIdentity as String] as? SecIdentity }
    }

    /// The chain of the first identity.
    var chain: [SecCertificate] {
        items?.first?[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
    }
}

@Suite struct `Importing a PKCS12 file` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fixture: Fixture
        var password: String? = "open sesame"

        static let all = [
            Row(testDescription: "AES-256, SHA-256", fixture: PKCS12Files.modern),
            Row(testDescription: "RC2 and triple DES, SHA-1", fixture: PKCS12Files.legacy),
            Row(testDescription: "triple DES, SHA-1", fixture: PKCS12Files.tripleDES),
            Row(testDescription: "AES-128, SHA-1", fixture: PKCS12Files.aes128),
            Row(testDescription: "AES-256, SHA-224", fixture: PKCS12Files.sha224),
            Row(testDescription: "AES-256, SHA-384", fixture: PKCS12Files.sha384),
            Row(testDescription: "AES-256, SHA-512", fixture: PKCS12Files.sha512),
            Row(testDescription: "open certificate", fixture: PKCS12Files.openCertificates),
            Row(
                testDescription: "empty password",
                fixture: PKCS12Files.emptyPassword,
                password: ""
            ),
            Row(
                testDescription: "no password for an empty one",
                fixture: PKCS12Files.emptyPassword,
                password: nil
            ),
            Row(
                testDescription: "password beyond ASCII",
                fixture: PKCS12Files.unicodePassword,
                password: "pässwörd €"
            ),
        ]
    }

    @Test(.requirement("CRT-08", "CRT-10", "API-10"), arguments: Row.all)
    func `yields the identity, its chain and a trust object`(row: Row) throws {
        let imported = Imported(row.fixture, password: row.password)
        #expect(imported.status == errSecSuccess)
        let ada = Person.ada
        #expect(imported.identities == [ada.identity])
        #expect(imported.chain.first == ada.certificate)
        let item = try #require(imported.items?.first)
        #expect(Set(item.keys) == ["identity", "chain", "trust"])
        let trust = try #require(item[kSecImportItemTrust as String] as? SecTrust)
        let anchors = [Certificates.issuing.certificate] as CFArray
        #expect(SecTrustSetAnchorCertificates(trust, anchors) == errSecSuccess)
        #expect(SecTrustEvaluateWithError(trust, nil))
    }

    @Test(.requirement("CRT-08", "CRT-10"))
    func `yields an RSA key that works`() throws {
        let imported = Imported(PKCS12Files.rsa)
        let bob = Person.bob
        #expect(imported.status == errSecSuccess && imported.identities == [bob.identity])
        var key: SecKey?
        let identity = try #require(imported.identities.first)
        SecIdentityCopyPrivateKey(identity, &key)
        let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
        let made = try #require(key)
        let signature = try #require(Keys.sign(made, algorithm, Data([1])).value)
        let certified = try #require(SecCertificateCopyKey(bob.certificate))
        #expect(Keys.verify(certified, algorithm, Data([1]), signature).value == true)
    }

    /// The files hold the root first.
    @Test(arguments: [PKCS12Files.modern, PKCS12Files.legacy])
    func `orders the chain from the identity to the root`(fixture: Fixture) throws {
        let expected = [Certificates.ada, Certificates.issuing, Certificates.root]
        #expect(Imported(fixture).chain == expected.map { $0.certificate })
    }

    @Test(arguments: [PKCS12Files.certificatesOnly, PKCS12Files.keyOnly])
    func `yields nothing of a file with certificates or keys alone`(fixture: Fixture) {
        let imported = Imported(fixture)
        #expect(imported.status == errSecSuccess)
        #expect(imported.items?.isEmpty == true)
    }

    @Test func `yields every identity of a file, each with its own chain`() throws {
        let imported = Imported(PKCS12Files.twoIdentities)
        #expect(imported.status == errSecSuccess)
        let people = [Person.ada, Person.bob]
        #expect(imported.identities == people.map(\.identity))
        let chains = imported.items?.map { $0["chain"] as? [SecCertificate] }
        let issuing = Certificates.issuing.certificate
        #expect(chains == people.map { [$0.certificate, issuing] })
    }

    @Test func `takes the certificate that the file ties to the key`() throws {
        let imported = Imported(PKCS12Files.twoCertificates)
        #expect(imported.identities == [Person.adaRenewed.identity])
    }

    struct WrongPassword: Sendable {
        let fixture: Fixture
        let password: String?
    }

    @Test(
        .requirement("CRT-09"),
        arguments: [
            WrongPassword(fixture: PKCS12Files.modern, password: "open Sesame"),
            WrongPassword(fixture: PKCS12Files.modern, password: ""),
            WrongPassword(fixture: PKCS12Files.modern, password: nil),
            WrongPassword(fixture: PKCS12Files.legacy, password: "open sesame "),
            WrongPassword(fixture: PKCS12Files.legacy, password: ""),
            WrongPassword(fixture: PKCS12Files.emptyPassword, password: "open sesame"),
            WrongPassword(fixture: PKCS12Files.unicodePassword, password: "password €"),
            WrongPassword(fixture: PKCS12Files.certificatesOnly, password: "wrong"),
        ]
    )
    func `refuses a wrong password`(row: WrongPassword) {
        let imported = Imported(row.fixture, password: row.password)
        #expect(imported.status == errSecAuthFailed)
        #expect(imported.items == nil)
    }

    @Test(.requirement("CRT-09"), arguments: Array(stride(from: 0, to: 1_100, by: 23)))
    func `refuses a part of a file`(length: Int) {
        let part = PKCS12Files.twoIdentities.data.prefix(length)
        #expect(part.count == length)
        let imported = Imported(part, [kSecImportExportPassphrase: "open sesame"])
        #expect(imported.status == errSecDecode && imported.items == nil)
    }

    @Test(
        .requirement("CRT-09"),
        arguments: [
            Data(), Data([0]), Data([0x30, 0]), Data([0x30, 0x80]),
            Data(repeating: 0xFF, count: 99),
            Certificates.ada.data, PrivateKeys.bob.data, PKCS12Files.modern.data + Data([0]),
            Data(PKCS12Files.modern.data.dropFirst()), Data("not PKCS#12".utf8),
        ]
    )
    func `refuses what is none`(data: Data) {
        let imported = Imported(data, [kSecImportExportPassphrase: "open sesame"])
        #expect(imported.status == errSecDecode && imported.items == nil)
    }

    /// Either the file is refused or the byte did not matter.
    @Test(.requirement("CRT-09"), arguments: [0x01, 0x80] as [UInt8])
    func `never yields another key or certificate of a changed file`(bit: UInt8) throws {
        let ada = Person.ada
        let fixture = PKCS12Files.tripleDES
        let wrong = fixture.bytes.indices.filter { position in
            var bytes = fixture.bytes
            bytes[position] ^= bit
            let imported = Imported(Data(bytes), [kSecImportExportPassphrase: "open sesame"])
            return imported.status == errSecSuccess
                ? imported.identities != [ada.identity] : imported.items != nil
        }
        #expect(wrong == [])
    }
}

@Suite struct `An imported PKCS12 file` {
    private static var store: Attributes { [kSecUseDataProtectionKeychain: true] }

    @Test(.requirement("CRT-13"), arguments: [PKCS12Files.modern, PKCS12Files.twoIdentities])
    func `is not stored`(fixture: Fixture) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let before = Snapshot()
            #expect(Imported(fixture).status == errSecSuccess)
            let declined: Attributes = [kSecUseDataProtectionKeychain: false]
            #expect(Imported(fixture, declined).status == errSecSuccess)
            #expect(Snapshot() == before)
            #expect(Items.find(.identities).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("CRT-13"))
    func `is stored once its identity is added`() throws {
        try onNewDevice { _ in
            let identity = try #require(Imported(PKCS12Files.modern).identities.first)
            #expect(Items.add(.reference(identity)) == errSecSuccess)
            #expect(Items.count(.certificates) == 1 && Items.count(.keys) == 1)
            #expect(Items.object(.identities, as: SecIdentity.self) == identity)
        }
    }

    @Test func `is stored with its chain where the options say so, and only once`() throws {
        try onNewDevice { _ in
            let imported = Imported(PKCS12Files.modern, Self.store)
            #expect(imported.status == errSecSuccess)
            #expect(Items.count(.certificates) == 3 && Items.count(.keys) == 1)
            #expect(Items.objects(.identities, as: SecIdentity.self) == imported.identities)
            let before = Snapshot()
            let again = Imported(PKCS12Files.modern, Self.store)
            #expect(again.status == errSecSuccess && again.identities == imported.identities)
            #expect(Snapshot() == before)
        }
    }

    @Test func `completes what is missing of it`() throws {
        try onNewDevice { _ in
            #expect(Imported(PKCS12Files.twoIdentities, Self.store).status == errSecSuccess)
            #expect(Items.count(.certificates) == 3 && Items.count(.identities) == 2)
            let before = Snapshot().lines.count
            Items.delete(.reference(Person.bob.certificate))
            Items.delete(.reference(Person.ada.key))
            #expect(Imported(PKCS12Files.twoIdentities, Self.store).status == errSecSuccess)
            #expect(Snapshot().lines.count == before && Items.count(.identities) == 2)
        }
    }

    @Test(arguments: [String.certificate, .key])
    func `is stored with the attributes among the options`(itemClass: String) throws {
        try onNewDevice(groups: ["com.example.shared"]) { _ in
            let options = Self.store.with([
                kSecAttrAccessGroup: "TEAMID1234.com.example.app",
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ])
            #expect(Imported(PKCS12Files.modern, options).status == errSecSuccess)
            let stored = Items.attributes([kSecClass: itemClass])
            #expect(stored[.accessGroup] as? String == "TEAMID1234.com.example.app")
            #expect(stored[.accessible] as? String == .afterFirstUnlockThisDeviceOnly)
        }
    }

    @Test func `leaves nothing behind when it cannot be stored`() throws {
        try onNewDevice { device in
            let foreign = Self.store.with([kSecAttrAccessGroup: "com.example.other"])
            let refused = Imported(PKCS12Files.twoIdentities, foreign)
            #expect(refused.status == errSecMissingEntitlement && refused.items == nil)
            device.lock()
            let locked = Imported(PKCS12Files.twoIdentities, Self.store)
            #expect(locked.status == errSecInteractionNotAllowed && locked.items == nil)
            try device.unlock(passcode: "0000")
            #expect(Imported(PKCS12Files.modern, password: "x", Self.store).status == -25293)
            #expect(Snapshot().lines == [])
        }
    }
}
