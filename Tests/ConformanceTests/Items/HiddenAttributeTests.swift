import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSimulator
import ModelTestSupport
import Security
import Testing

/// An attribute that programs of the keychain use, such as the Secret Service, and apps do not.
@Suite struct `The pairs of an item` {
    private static let pairs = ["xdg:schema": "org.example.Password", "user": "ada"]
    private static let name = Attribute.lookupPairs.rawValue

    private func query(_ pairs: [String: String] = pairs) throws -> AttributeDictionary {
        var query: AttributeDictionary = .of(.genericPassword, [.service: .string("mail")])
        query[.lookupPairs] = .data(try LookupPairs(pairs).encoded)
        return query
    }

    /// Adds the password of the test as the Secret Service would.
    private func addPaired() throws {
        var item = try query()
        item[.account] = .string("ada")
        item[.valueData] = .data(Array("open sesame".utf8))
        _ = try RequestRouter.endpoint().send(.items(.add(item)))
    }

    /// The pairs of the one item that a search with pairs finds.
    private func found(_ pairs: [String: String]) throws -> [String: String]? {
        var query = try query(pairs)
        query[.returnAttributes] = .bool(true)
        guard
            case .items(.result(.dictionary(let item))) = try RequestRouter.endpoint().send(
                .items(.copyMatching(query))
            ),
            case .data(let bytes)? = item.attributes[.lookupPairs]
        else { return nil }
        return LookupPairs(encoded: bytes)?.pairs
    }

    @Test func `cross to the endpoint and back`() throws {
        try onNewDevice { _ in
            try addPaired()
            #expect(try found(["user": "ada"]) == Self.pairs)
            #expect(throws: KeychainError(.itemNotFound, "")) { try found(["user": "ben"]) }
        }
    }

    @Test func `are in no dictionary that an app gets`() throws {
        try onNewDevice { _ in
            try addPaired()
            #expect(Items.value(.mail) == "open sesame")
            let attributes = Items.attributes(.mail)
            #expect(attributes[kSecAttrAccount as String] as? String == "ada")
            #expect(attributes[Self.name] == nil)
            let all = Items.find(
                Attributes.mail.with([
                    kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
                    kSecReturnData: true,
                ])
            )
            #expect(all.dictionaries.map { $0[Self.name] == nil } == [true])
        }
    }

    @Test(arguments: [Sample.data([]), .data([1, 0, 0x61, 0, 0]), .text("x"), .null])
    func `are no attribute that an app may name`(sample: Sample) throws {
        try onNewDevice { _ in
            try addPaired()
            let named = Attributes.mail.with(Self.name, sample)
            #expect(Items.add(named) == errSecNoSuchAttr)
            #expect(Items.find(named).status == errSecNoSuchAttr)
            #expect(Items.update(named, [kSecAttrLabel: "x"]) == errSecNoSuchAttr)
            #expect(Items.update(.mail, Attributes().with(Self.name, sample)) == errSecNoSuchAttr)
            #expect(Items.delete(named) == errSecNoSuchAttr)
            #expect(try found(Self.pairs) == Self.pairs)
        }
    }

    @Test func `stay when an app changes the item, and go when it deletes it`() throws {
        try onNewDevice { _ in
            try addPaired()
            #expect(Items.update(.mail, [kSecAttrLabel: "x"]) == errSecSuccess)
            #expect(try found(["user": "ada"]) == Self.pairs)
            #expect(Items.delete(.mail) == errSecSuccess)
            #expect(throws: KeychainError(.itemNotFound, "")) { try found(["user": "ada"]) }
        }
    }
}
