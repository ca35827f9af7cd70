import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A filter on certificates` {
    private static let all = [
        Certificates.root, Certificates.otherRoot, Certificates.issuing, Certificates.server,
        Certificates.expired, Certificates.future, Certificates.ada, Certificates.bob,
    ]

    private func withAll(_ body: (SimulatedDevice) throws -> Void) throws {
        try onNewDevice { device in
            for fixture in Self.all {
                #expect(Items.add(.reference(fixture.certificate)) == errSecSuccess)
            }
            Items.add(.reference(Person.ada.key))
            Items.add(.reference(Person.bob.key))
            try body(device)
        }
    }

    /// Which of all certificates a query finds.
    private func found(_ query: Attributes) -> [Data] {
        let query = Attributes.certificates.with(query)
        return Items.objects(query, as: SecCertificate.self).map {
            SecCertificateCopyData($0) as Data
        }
    }

    private static func issuer(of fixture: Fixture) throws -> Data {
        let issuer = SecCertificateCopyNormalizedIssuerSequence(fixture.certificate)
        return try #require(issuer) as Data
    }

    @Test(.requirement("CRT-15"))
    func `by issuers follows the chain`() throws {
        try withAll { _ in
            let leaves = [
                Certificates.server, Certificates.expired, Certificates.future,
                Certificates.ada, Certificates.bob,
            ].map(\.data)
            let direct = try Self.issuer(of: Certificates.server)
            #expect(found([kSecMatchIssuers: [direct]]) == leaves)
            let root = try Self.issuer(of: Certificates.root)
            let whole = Data([0x30, UInt8(root.count)]) + root
            let family = [Certificates.root.data, Certificates.issuing.data] + leaves
            #expect(found([kSecMatchIssuers: [root]]) == family)
            #expect(found([kSecMatchIssuers: [whole]]) == family)
            let other = try Self.issuer(of: Certificates.otherRoot)
            #expect(found([kSecMatchIssuers: [other]]) == [Certificates.otherRoot.data])
            #expect(found([kSecMatchIssuers: [other, root]]).count == 8)
        }
    }

    @Test(.requirement("CRT-15"))
    func `by issuers finds identities`() throws {
        try withAll { _ in
            let people = [Person.ada.identity, Person.bob.identity]
            let root = try Self.issuer(of: Certificates.root)
            let query = Attributes.identities.with([kSecMatchIssuers: [root]])
            #expect(Items.objects(query, as: SecIdentity.self) == people)
            let other = try Self.issuer(of: Certificates.otherRoot)
            let wrong = Attributes.identities.with([kSecMatchIssuers: [other]])
            #expect(Items.find(wrong).status == errSecItemNotFound)
        }
    }

    @Test(
        arguments: [
            [], [.data([])], [.data([0x30, 0xFF])], [.data(Array("root".utf8))], [.text("root")],
        ] as [[Sample]]
    )
    func `by issuers finds nothing without a name that is one`(names: [Sample]) throws {
        try withAll { _ in
            #expect(found([kSecMatchIssuers: names.map(\.object)]) == [])
        }
    }

    @Test func `by issuers ends where certificates issue each other`() throws {
        try onNewDevice { _ in
            // Rows that name each other; none of it is a certificate.
            for (subject, issuer) in [(1, 2), (2, 1)] as [(UInt8, UInt8)] {
                let names: Attributes = [
                    kSecAttrSubject: Data([0x31, 0x00, subject]),
                    kSecAttrIssuer: Data([0x31, 0x00, issuer]),
                ]
                #expect(Items.add(.certificates.with(names)) == errSecSuccess)
            }
            let root = try Self.issuer(of: Certificates.root)
            let query = Attributes.certificates.with([kSecMatchIssuers: [root]])
            #expect(Items.find(query).status == errSecItemNotFound)
        }
    }

    /// Following the first one's issuers is a search of the same shape as the one under way.
    @Test(.requirement("CRT-15"))
    func `by issuers finds every certificate of one subject`() throws {
        try onNewDevice { _ in
            let root = try Self.issuer(of: Certificates.root)
            let (subject, middle) = (Data([0x31, 0x00, 1]), Data([0x31, 0x00, 2]))
            let rows: [(Data, Data, UInt8)] = [
                (subject, middle, 1), (subject, middle, 2), (middle, root, 3),
            ]
            for (subject, issuer, serial) in rows {
                let names: Attributes = [
                    kSecAttrSubject: subject,
                    kSecAttrIssuer: issuer,
                    kSecAttrSerialNumber: Data([serial]),
                ]
                #expect(Items.add(.certificates.with(names)) == errSecSuccess)
            }
            let query = Attributes.certificates.with([
                kSecAttrSubject: subject,
                kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                kSecMatchIssuers: [root],
            ])
            #expect(Items.count(query) == 2)
        }
    }

    @Test(arguments: [String.genericPassword, .internetPassword, .key])
    func `by issuers is for no other class`(itemClass: String) throws {
        try onNewDevice { _ in
            let query: Attributes = [kSecClass: itemClass, kSecMatchIssuers: [Data()]]
            #expect(Items.find(query).status == errSecUnimplemented)
        }
    }

    @Test(arguments: [
        (address: "ada@example.com", isAdas: true),
        (address: "ada.lovelace@example.org", isAdas: true),
        (address: "ADA@example.COM", isAdas: true),
        (address: "ada", isAdas: false),
        (address: "", isAdas: false),
        (address: "bob@example.com", isAdas: false),
    ])
    func `by address finds who has it`(address: String, isAdas: Bool) throws {
        try withAll { _ in
            let query: Attributes = [kSecMatchEmailAddressIfPresent: address]
            #expect(found(query) == (isAdas ? [Certificates.ada.data] : []))
            let identity = Items.object(.identities.with(query), as: SecIdentity.self)
            let expected = isAdas ? Person.ada.identity : nil
            #expect(identity == expected)
        }
    }

    @Test func `by date finds what is valid then`() throws {
        try withAll { _ in
            let past = try Date("2010-06-01T00:00:00Z", strategy: .iso8601)
            #expect(found([kSecMatchValidOnDate: past]) == [Certificates.expired.data])
            let late = try Date("2105-01-01T00:00:00Z", strategy: .iso8601)
            let then = found([kSecMatchValidOnDate: late])
            #expect(then.count == 7 && !then.contains(Certificates.expired.data))
            let identities = Attributes.identities.with([kSecMatchValidOnDate: past])
            #expect(Items.find(identities).status == errSecItemNotFound)
        }
    }

    @Test func `by date without a date asks about now`() throws {
        try withAll { _ in
            let now = found([kSecMatchValidOnDate: NSNull()])
            #expect(now.count == 6)
            #expect(!now.contains(Certificates.expired.data))
            #expect(!now.contains(Certificates.future.data))
        }
    }

    @Test func `by trust finds none that only the fixtures trust`() throws {
        try withAll { _ in
            #expect(found([kSecMatchTrustedOnly: true]) == [])
            #expect(found([kSecMatchTrustedOnly: false]).count == 8)
        }
    }

    @Test func `by policy finds what is good for it`() throws {
        try withAll { _ in
            let then = try Date("2021-01-01T00:00:00Z", strategy: .iso8601)
            func found(_ policy: SecPolicy, at moment: Date = then) -> [Data] {
                self.found([kSecMatchPolicy: policy, kSecMatchValidOnDate: moment])
            }
            let server = Certificates.server.data
            #expect(found(SecPolicyCreateSSL(true, "server.example.com" as CFString)) == [server])
            #expect(found(SecPolicyCreateSSL(true, "other.example.com" as CFString)) == [])
            let clients = found(SecPolicyCreateSSL(false, nil))
            #expect(clients.contains(Certificates.ada.data) && !clients.contains(server))
            // Nobody vouches for the fixtures.
            #expect(found(SecPolicyCreateBasicX509()) == [])
            let early = try Date("2010-06-01T00:00:00Z", strategy: .iso8601)
            let host = "server.example.com" as CFString
            let expired = found(SecPolicyCreateSSL(true, host), at: early)
            #expect(expired == [Certificates.expired.data])
            let identity = Attributes.identities.with([
                kSecMatchPolicy: SecPolicyCreateSSL(false, nil)
            ])
            #expect(Items.objects(identity, as: SecIdentity.self).count == 2)
            let wrong = Attributes.certificates.with([kSecMatchPolicy: "text"])
            #expect(Items.find(wrong).status == errSecParam)
            let key = Attributes.keys.with([kSecMatchPolicy: SecPolicyCreateBasicX509()])
            #expect(Items.find(key).status == errSecUnimplemented)
        }
    }

    /// Apple's keychain looks at all items, too.
    @Test func `by a list of items has no effect, and a finding says so`() throws {
        try withAll { device in
            let one = Attributes.certificates.with([kSecAttrLabel: "Ada Lovelace"])
            let reference = try #require(Items.reference(one))
            #expect(found([kSecMatchItemList: [reference]]).count == 8)
            #expect(device.finding("item-list") != nil)
        }
    }

    @Test func `is applied before the limit`() throws {
        try withAll { _ in
            let query = Attributes.certificates.with([
                kSecMatchEmailAddressIfPresent: "ada@example.com", kSecMatchLimit: 1,
            ])
            let found = Items.object(query, as: SecCertificate.self)
            #expect(found == Certificates.ada.certificate)
            #expect(Items.attributes(query)[.label] as? String == "Ada Lovelace")
        }
    }

    @Test(arguments: [String.matchEmailAddress, .matchValidOnDate, .matchTrustedOnly])
    func `of the wrong type is refused`(key: String) throws {
        try onNewDevice { _ in
            let query = Attributes.certificates.with(key, .number(1))
            #expect(Items.find(query).status == errSecParam)
        }
    }

    @Test(arguments: [String.certificate, .identity])
    func `is refused in what changes or deletes`(itemClass: String) throws {
        try withAll { _ in
            let root = try Self.issuer(of: Certificates.root)
            let before = Snapshot()
            let filtered: Attributes = [kSecClass: itemClass, kSecMatchIssuers: [root]]
            #expect(Items.delete(filtered) == errSecParam)
            #expect(Items.update(filtered, [kSecAttrLabel: "x"]) == errSecParam)
            #expect(Snapshot() == before)
        }
    }
}
