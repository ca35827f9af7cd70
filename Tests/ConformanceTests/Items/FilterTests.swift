import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A filter` {
    struct Row: Sendable, CustomTestStringConvertible {
        let attribute: String
        let right: Sample
        let wrong: Sample

        init(_ attribute: CFString, _ right: Sample, not wrong: Sample) {
            self.attribute = attribute as String
            self.right = right
            self.wrong = wrong
        }

        var testDescription: String { attribute }
    }

    static let rows = [
        Row(kSecAttrAccount, .text("ada"), not: .text("Ada")),
        Row(kSecAttrService, .text("mail"), not: .text("mail ")),
        Row(kSecAttrLabel, .text("Mail"), not: .text("mail")),
        Row(kSecAttrGeneric, .data([1, 2, 3]), not: .data([1, 2])),
        Row(kSecAttrDescription, .text("token"), not: .text("")),
        Row(kSecAttrComment, .text("remark"), not: .text("remarks")),
        Row(kSecAttrCreator, .number(0x6143_7274), not: .number(0)),
        Row(kSecAttrType, .number(0x6974_656D), not: .number(-1)),
        Row(kSecAttrIsInvisible, .bool(true), not: .bool(false)),
        Row(kSecAttrIsNegative, .bool(false), not: .bool(true)),
        Row(
            kSecAttrAccessible,
            .text(.afterFirstUnlock),
            not: .text(.afterFirstUnlockThisDeviceOnly)
        ),
        Row(kSecAttrSynchronizable, .bool(false), not: .bool(true)),
    ]

    private static var item: Attributes {
        rows.reduce([kSecClass: kSecClassGenericPassword]) { $0.with($1.attribute, $1.right) }
    }

    @Test(.requirement("QRY-31"), arguments: rows)
    func `narrows the search by every attribute, also outside the primary key`(row: Row) throws {
        try onNewDevice { _ in
            #expect(Items.add(Self.item.holding("secret")) == errSecSuccess)
            let plain = Attributes.mail
            #expect(Items.find(plain.with(row.attribute, row.right)).status == errSecSuccess)
            #expect(Items.find(plain.with(row.attribute, row.wrong)).status == errSecItemNotFound)
            #expect(Items.find(Self.item).status == errSecSuccess)
            let oneWrong = Self.item.with(row.attribute, row.wrong)
            #expect(Items.find(oneWrong).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("CLS-30"))
    func `takes four-letter codes as numbers`() throws {
        try onNewDevice { _ in
            let creator = NSNumber(value: UInt32(0x6143_7274))
            Items.add(.mail.with([kSecAttrCreator: creator, kSecAttrType: 0x6974_656D]))
            Items.add(.mail.with([kSecAttrAccount: "bob", kSecAttrCreator: 1]))
            let query: Attributes = [kSecClass: kSecClassGenericPassword]
            let found = Items.attributes(query.with([kSecAttrCreator: creator]))
            #expect(found[.account] as? String == "ada")
            #expect(Items.count(query.with([kSecAttrCreator: 0x6143_7274])) == 1)
            #expect(Items.count(query.with([kSecAttrType: "1769235821"])) == 1)
            #expect(Items.count(query.with([kSecAttrType: 0x6974_656E])) == 0)
        }
    }

    @Test(.requirement("QRY-43"))
    func `keeps upper and lower case apart unless the profile honors the wish`() throws {
        let wish: Attributes = [
            kSecAttrAccount: "ADA", kSecMatchCaseInsensitive: true, kSecReturnData: true,
        ]
        try onNewDevice { device in
            Items.add(.mail.holding("secret"))
            #expect(Items.find(.mail.with(wish)).status == errSecItemNotFound)
            #expect(device.finding("case-insensitive")?.verb == .copyMatching)
            let exact = Attributes.mail.with([kSecMatchCaseInsensitive: true])
            #expect(Items.value(exact) == "secret")
        }
        var behavior = BehaviorProfile.documented
        behavior.matchCaseInsensitive = .honor
        try onNewDevice(behavior: behavior) { device in
            Items.add(.mail.holding("secret"))
            #expect(Items.find(.mail.with(wish)).text == "secret")
            let declined = wish.with([kSecMatchCaseInsensitive: false])
            #expect(Items.find(.mail.with(declined)).status == errSecItemNotFound)
            let other = wish.with([kSecAttrAccount: "ADAM"])
            #expect(Items.find(.mail.with(other)).status == errSecItemNotFound)
            #expect(device.finding("case-insensitive") == nil)
        }
    }

    @Test func `finds a host and its subdomains`() throws {
        try onNewDevice { _ in
            let item: Attributes = [kSecClass: kSecClassInternetPassword]
            for server in ["example.com", "mail.example.com", "badexample.com", "example.org"] {
                Items.add(item.with([kSecAttrServer: server]))
            }
            // Apple exports no constant for this key.
            let hosts: Attributes = [String.matchHostOrSubdomain as CFString: "example.com"]
            #expect(Items.count(item.with(hosts)) == 2)
            let wrongClass = Attributes.mail.with(hosts)
            #expect(Items.find(wrongClass).status == errSecUnimplemented)
        }
    }
}

@Suite struct `Not found, yet a duplicate` {
    @Test(.requirement("QRY-32"))
    func `happens when a search names the label`() throws {
        try onNewDevice { device in
            Items.add(.mail.holding("secret"))
            let search: Attributes = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "mail",
                kSecAttrLabel: "auth-token", kSecReturnData: true,
            ]
            #expect(Items.find(search).status == errSecItemNotFound)
            #expect(Items.add(.mail.holding("new")) == errSecDuplicateItem)
            #expect(device.finding("duplicate-after-miss")?.status == errSecDuplicateItem)
        }
    }

    @Test(.requirement("QRY-33"))
    func `happens when a search names the accessibility`() throws {
        try onNewDevice { device in
            let stored = Attributes.mail.with([
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock
            ])
            Items.add(stored.holding("secret"))
            let search = Attributes.mail.with([
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked
            ])
            #expect(Items.find(search).status == errSecItemNotFound)
            #expect(Items.add(search.holding("new")) == errSecDuplicateItem)
            #expect(Items.find(.mail).status == errSecSuccess)
            #expect(Items.value(.mail) == "secret")
            #expect(device.finding("accessible-in-search")?.verb == .copyMatching)
        }
    }

    @Test(.requirement("QRY-34", "CLS-13"))
    func `happens when a search names the generic attribute`() throws {
        try onNewDevice { _ in
            let stored = Attributes.mail.with([kSecAttrGeneric: Data("one".utf8)])
            let other = Attributes.mail.with([kSecAttrGeneric: Data("two".utf8)])
            #expect(Items.add(stored.holding("secret")) == errSecSuccess)
            #expect(Items.find(other).status == errSecItemNotFound)
            #expect(Items.add(other.holding("new")) == errSecDuplicateItem)
            #expect(Items.value(stored) == "secret")
        }
    }
}
