import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A stored identity` {
    /// Ada, Ada again under a newer certificate, and Bob; Ada's key has a tag.
    private func withThree(_ body: ([SecIdentity]) throws -> Void) throws {
        try onNewDevice { _ in
            let people = [Person.ada, Person.adaRenewed, Person.bob]
            Items.add(.reference(people[0].key).with([kSecAttrApplicationTag: Data("tag".utf8)]))
            Items.add(.reference(people[2].key))
            for (number, person) in people.enumerated() {
                let label = [kSecAttrLabel: "person \(number)"] as Attributes
                #expect(Items.add(.reference(person.certificate).with(label)) == errSecSuccess)
            }
            try body(people.map(\.identity))
        }
    }

    struct Lookup: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Which of the three are found.
        let expected: [Int]
        let query: @Sendable ([SecIdentity]) throws -> Attributes

        init(
            _ name: String,
            _ expected: [Int],
            _ query: @escaping @Sendable ([SecIdentity]) throws -> Attributes
        ) {
            testDescription = name
            self.expected = expected
            self.query = query
        }
    }

    private static func certificate(_ identity: SecIdentity) throws -> SecCertificate {
        var certificate: SecCertificate?
        SecIdentityCopyCertificate(identity, &certificate)
        return try #require(certificate)
    }

    private static let lookups = [
        Lookup("nothing", [0, 1, 2]) { _ in [:] },
        Lookup("label", [1]) { _ in [kSecAttrLabel: "person 1"] },
        Lookup("another label", []) { _ in [kSecAttrLabel: "person"] },
        Lookup("serial number", [0]) { _ in [kSecAttrSerialNumber: Data(hex: "30 01")] },
        Lookup("issuer", [0, 1, 2]) {
            let issuer = SecCertificateCopyNormalizedIssuerSequence(try certificate($0[0]))
            return [kSecAttrIssuer: try #require(issuer)]
        },
        Lookup("subject", [2]) {
            let subject = SecCertificateCopyNormalizedSubjectSequence(try certificate($0[2]))
            return [kSecAttrSubject: try #require(subject)]
        },
        Lookup("public key hash", [0, 1]) {
            [kSecAttrPublicKeyHash: try certificate($0[0]).keyHash]
        },
        Lookup("application label", [0, 1]) {
            [kSecAttrApplicationLabel: try certificate($0[0]).keyHash]
        },
        Lookup("application tag", [0, 1]) { _ in [kSecAttrApplicationTag: Data("tag".utf8)] },
        Lookup("application tag and label", [1]) { _ in
            [kSecAttrApplicationTag: Data("tag".utf8), kSecAttrLabel: "person 1"]
        },
        Lookup("application tag and another's label", []) { _ in
            [kSecAttrApplicationTag: Data("tag".utf8), kSecAttrLabel: "person 2"]
        },
        Lookup("key type", [2]) { _ in [kSecAttrKeyType: kSecAttrKeyTypeRSA] },
        Lookup("certificate type", [0, 1, 2]) { _ in [kSecAttrCertificateType: 3] },
        Lookup("accessibility of the key", [0, 1, 2]) { _ in
            [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
        },
        Lookup("accessibility of the certificate", []) { _ in [kSecAttrAccessible: String.always] },
        Lookup("reference", [1]) { [kSecValueRef: $0[1]] },
        Lookup("persistent reference", [1]) {
            let reference = try #require(Items.reference(.reference($0[1])))
            return [kSecValuePersistentRef: reference]
        },
    ]

    @Test(.requirement("CRT-15"), arguments: lookups)
    func `is found by what either half has`(lookup: Lookup) throws {
        try withThree { people in
            var query = try lookup.query(people)
            if query[kSecValuePersistentRef] == nil { query[kSecClass] = kSecClassIdentity }
            let expected = lookup.expected.map { people[$0] }
            #expect(Items.objects(query, as: SecIdentity.self) == expected)
            #expect(Items.object(query, as: SecIdentity.self) == expected.first)
            let status = expected.isEmpty ? errSecItemNotFound : errSecSuccess
            #expect(Items.find(query).status == status)
        }
    }

    @Test func `has no attributes beyond those of its halves`() throws {
        try withThree { _ in
            let query = Attributes.identities.with([kSecAttrService: "mail"])
            #expect(Items.find(query).status == errSecNoSuchAttr)
        }
    }

    @Test(.requirement("QRY-11"))
    func `is one without a limit, and as many as the limit allows`() throws {
        try withThree { people in
            #expect(Items.object(.identities, as: SecIdentity.self) == people[0])
            let two = Attributes.identities.with([kSecMatchLimit: 2, kSecReturnRef: true])
            #expect(Items.find(two).object as? [SecIdentity] == Array(people.prefix(2)))
            let data = Items.find(.identities.with([kSecReturnData: true])).data
            #expect(data == PrivateKeys.ada.data)
            let found = Items.attributes(.identities)
            #expect(found[.label] as? String == "person 0")
        }
    }

    @Test(.requirement("QRY-27", "API-08"))
    func `has the attributes of both, and the certificate's where both have one`() throws {
        try withThree { people in
            let everything: Attributes = [
                kSecReturnRef: true, kSecReturnData: true, kSecReturnPersistentRef: true,
                kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
            ]
            let all = Items.find(.identities.with(everything)).dictionaries
            #expect(all.count == 3)
            let found = try #require(all.first)
            #expect(found[kSecValueRef as String] as? SecIdentity == people[0])
            #expect(found[kSecValueData as String] as? Data == PrivateKeys.ada.data)
            #expect(found[kSecClass as String] as? String == .identity)
            #expect(found[.label] as? String == "person 0")
            #expect(found[.accessible] as? String == .always)
            #expect(found[.applicationTag] as? Data == Data("tag".utf8))
            #expect(found[.serialNumber] as? Data == Data(hex: "30 01"))
            #expect(found[.keyClass] as? Int == 1 && found[.keySizeInBits] as? Int == 256)
            let certificate = Items.attributes(
                .certificates.with([kSecAttrLabel: "person 0"])
            )
            #expect(found[.digest] as? Data == certificate[.digest] as? Data)
            #expect(found[.creationDate] as? Date == certificate[.creationDate] as? Date)
        }
    }

    @Test func `has its certificate's persistent reference, under its own class`() throws {
        try withThree { people in
            let certificate = Attributes.reference(try Self.certificate(people[1]))
            let ofCertificate = try #require(Items.reference(certificate))
            let reference = try #require(Items.reference(.reference(people[1])))
            #expect(reference.prefix(4) == Data(String.identity.utf8) && reference.count == 20)
            #expect(ofCertificate.prefix(4) == Data(String.certificate.utf8))
            #expect(reference.dropFirst(4) == ofCertificate.dropFirst(4))
            let query: Attributes = [kSecValuePersistentRef: reference]
            #expect(Items.reference(query) == reference)
            #expect(Items.object(query, as: SecIdentity.self) == people[1])
            let contradiction = query.with([kSecClass: kSecClassCertificate])
            #expect(Items.find(contradiction).status == errSecNoSuchClass)
            #expect(Items.delete(certificate) == errSecSuccess)
            #expect(Items.find(query).status == errSecItemNotFound)
        }
    }
}

@Suite struct `An identity object` {
    @Test(.requirement("CRT-10", "API-14"))
    func `hands over its halves`() throws {
        let ada = Person.ada
        var certificate: SecCertificate?
        var key: SecKey?
        SecIdentityCopyCertificate(ada.identity, &certificate)
        SecIdentityCopyPrivateKey(ada.identity, &key)
        #expect(SecIdentityCopyCertificate(ada.identity, &certificate) == errSecSuccess)
        #expect(SecIdentityCopyPrivateKey(ada.identity, &key) == errSecSuccess)
        #expect(certificate == ada.certificate && key == ada.key)
        let certified = certificate.flatMap(SecCertificateCopyKey)
        #expect(key.flatMap(SecKeyCopyPublicKey) == certified)
        #expect(CFGetTypeID(ada.identity) == SecIdentityGetTypeID())
    }

    /// Written as apps write it: no result is used.
    @Test(.requirement("API-14"))
    func `is handled without a look at the statuses`() throws {
        try onNewDevice { _ in
            let query = Attributes.reference(Person.ada.identity) as CFDictionary
            SecItemAdd(query, nil)
            SecItemUpdate(query, [kSecAttrLabel: "Ada"] as NSDictionary)
            var found: CFTypeRef?
            SecItemCopyMatching([kSecClass: kSecClassIdentity] as NSDictionary, &found)
            SecItemDelete(query)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(.requirement("CRT-10"))
    func `signs with the stored key`() throws {
        try onNewDevice { _ in
            Person.ada.addHalves()
            let identity = try #require(Items.object(.identities, as: SecIdentity.self))
            var halves: (certificate: SecCertificate?, key: SecKey?)
            SecIdentityCopyCertificate(identity, &halves.certificate)
            SecIdentityCopyPrivateKey(identity, &halves.key)
            let text = Data("text".utf8)
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let key = try #require(halves.key)
            let signature = try #require(Keys.sign(key, algorithm, text).value)
            let certified = try #require(halves.certificate.flatMap(SecCertificateCopyKey))
            #expect(Keys.verify(certified, algorithm, text, signature).value == true)
        }
    }

    @Test func `is made only of halves that belong together`() throws {
        let (ada, bob) = (Person.ada, Person.bob)
        #expect(SecIdentityCreate(nil, ada.certificate, bob.key) == nil)
        #expect(SecIdentityCreate(nil, Certificates.koblitz.certificate, ada.key) == nil)
        let publicKey = try #require(SecKeyCopyPublicKey(ada.key))
        #expect(SecIdentityCreate(nil, ada.certificate, publicKey) == nil)
        #expect(SecIdentityCreate(nil, ada.certificate, ada.key) == ada.identity)
        #expect(ada.identity != bob.identity)
        let renewed = Person.adaRenewed
        #expect(ada.identity != renewed.identity)
    }

    @Test(.requirement("CRT-12"))
    func `is found for a certificate on macOS`() throws {
        try onNewDevice(.macOS(26)) { _ in
            let ada = Person.ada
            var identity: SecIdentity?
            let search = { SecIdentityCreateWithCertificate(nil, ada.certificate, &identity) }
            #expect(search() == errSecItemNotFound && identity == nil)
            Items.add(.reference(Person.bob.key))
            #expect(search() == errSecItemNotFound && identity == nil)
            Items.add(.reference(ada.key))
            #expect(search() == errSecSuccess && identity == ada.identity)
        }
    }

    @Test(.requirement("CRT-12"), arguments: [SystemProfile.iOS(26), .iOSSimulator])
    func `is not found for a certificate elsewhere`(system: SystemProfile) throws {
        try onNewDevice(system) { _ in
            let ada = Person.ada
            ada.addHalves()
            var identity: SecIdentity?
            let status = SecIdentityCreateWithCertificate(nil, ada.certificate, &identity)
            #expect(status == errSecUnimplemented && identity == nil)
        }
    }
}
