import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// One of two homes in which the same identity is stored, and the query that means it alone.
private struct Home: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let makeOwn: @Sendable () -> Attributes
    private let makeOther: @Sendable () -> Attributes

    private init(
        _ name: String,
        _ own: @escaping @Sendable () -> Attributes,
        _ other: @escaping @Sendable () -> Attributes
    ) {
        testDescription = name
        makeOwn = own
        makeOther = other
    }

    var own: Attributes { makeOwn() }
    var other: Attributes { makeOther() }

    private static func group(_ name: String) -> @Sendable () -> Attributes {
        { [kSecAttrAccessGroup: "TEAMID1234.com.example." + name] }
    }

    private static func travelling(_ travels: Bool) -> @Sendable () -> Attributes {
        { [kSecAttrSynchronizable: travels] }
    }

    static let all = [
        Home("local", travelling(false), travelling(true)),
        Home("synchronizable", travelling(true), travelling(false)),
        Home("one group", group("one"), group("two")),
        Home("the other group", group("two"), group("one")),
    ]

    /// The same identity, here and in the other home.
    func fill() {
        #expect(Items.add(Attributes.reference(Person.ada.identity).with(own)) == errSecSuccess)
        #expect(Items.add(Attributes.reference(Person.ada.identity).with(other)) == errSecSuccess)
    }

    static func onNewDevice(_ body: (SimulatedDevice) throws -> Void) throws {
        try ConformanceTests.onNewDevice(groups: ["com.example.one", "com.example.two"], body)
    }
}

extension Attributes {
    /// Whether synchronizable or not.
    fileprivate var anywhere: Attributes {
        with([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
    }
}

@Suite struct `An identity that is stored twice` {
    @Test(.requirement("CRT-14", "CLS-06"), arguments: Home.all)
    fileprivate func `is deleted in the home of the query, and whole in the other`(
        home: Home
    ) throws {
        try Home.onNewDevice { device in
            home.fill()
            let query = Attributes.identities.with(home.own)
            #expect(Items.delete(query) == errSecSuccess)
            #expect(Items.find(query).status == errSecItemNotFound)
            let left = Attributes.identities.with(home.other)
            #expect(Items.object(left, as: SecIdentity.self) == Person.ada.identity)
            #expect(Items.count(Attributes.certificates.anywhere) == 1)
            #expect(Items.count(Attributes.keys.anywhere) == 1)
            #expect(device.finding("broad-delete") == nil)
        }
    }

    @Test(.requirement("CRT-14"), arguments: Home.all)
    fileprivate func `is deleted by reference in the home of the query`(home: Home) throws {
        try Home.onNewDevice { _ in
            home.fill()
            let query = Attributes.reference(Person.ada.identity).with(home.own)
            #expect(Items.delete(query) == errSecSuccess)
            let left = Attributes.identities.with(home.other)
            #expect(Items.object(left, as: SecIdentity.self) == Person.ada.identity)
            #expect(Items.delete(query) == errSecItemNotFound)
        }
    }

    @Test(.requirement("CRT-14"), arguments: Home.all)
    fileprivate func `is updated in the home of the query`(home: Home) throws {
        try Home.onNewDevice { _ in
            home.fill()
            let query = Attributes.identities.with(home.own)
            #expect(Items.update(query, [kSecAttrLabel: "Countess"]) == errSecSuccess)
            func labels(_ place: Attributes) -> [String?] {
                [Attributes.certificates, .keys].map { half in
                    Items.attributes(half.with(place))[.label] as? String
                }
            }
            #expect(labels(home.own) == ["Countess", "Countess"])
            #expect(!labels(home.other).contains("Countess"))
        }
    }

    @Test(.requirement("CRT-14"))
    func `is deleted everywhere when both homes are meant, which is counted in items`() throws {
        try Home.onNewDevice { device in
            Home.all[0].fill()
            #expect(Items.delete(Attributes.identities.anywhere) == errSecSuccess)
            #expect(Items.count(Attributes.certificates.anywhere) == 0)
            #expect(Items.count(Attributes.keys.anywhere) == 0)
            let finding = try #require(device.finding("broad-delete"))
            #expect(finding.sentence.hasSuffix("There were 4 items."))
        }
    }

    @Test(.requirement("CRT-14"))
    func `is counted in items where two certificates have one key`() throws {
        try onNewDevice { device in
            for person in [Person.ada, .adaRenewed] {
                #expect(Items.add(.reference(person.identity)) == errSecSuccess)
            }
            #expect(Items.delete(.identities) == errSecSuccess)
            let finding = try #require(device.finding("broad-delete"))
            #expect(finding.sentence.hasSuffix("There were 3 items."))
        }
    }

    @Test(.requirement("CRT-14"))
    func `is one although two keys fit its certificate`() throws {
        try onNewDevice { device in
            let travelling = Person.ada.half(.key).with([kSecAttrSynchronizable: true])
            #expect(Items.add(.reference(Person.ada.identity)) == errSecSuccess)
            #expect(Items.add(travelling) == errSecSuccess)
            #expect(Items.delete(Attributes.identities.anywhere) == errSecSuccess)
            #expect(Items.count(Attributes.keys.anywhere) == 0)
            #expect(device.finding("broad-delete") == nil)
        }
    }

    @Test(.requirement("CRT-04"))
    func `joins a local key and a synchronizable certificate only for who asks for both`() throws {
        try onNewDevice { _ in
            let ada = Person.ada
            let travels: Attributes = [kSecAttrSynchronizable: true]
            #expect(Items.add(ada.half(.certificate).with(travels)) == errSecSuccess)
            #expect(Items.add(ada.half(.key)) == errSecSuccess)
            #expect(Items.find(.identities).status == errSecItemNotFound)
            #expect(Items.find(Attributes.identities.with(travels)).status == errSecItemNotFound)
            let found = Items.object(Attributes.identities.anywhere, as: SecIdentity.self)
            #expect(found == ada.identity)
        }
    }
}
