import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A value of the wrong type` {
    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let value: Sample

        var testDescription: String { "\(key) = \(value.testDescription)" }
    }

    private static func rows(_ key: CFString, _ values: [Sample]) -> [Row] {
        values.map { Row(key: key as String, value: $0) }
    }

    private static let strangers: [Sample] = [.null, .list, .dictionary, .url, .stranger]

    static let attributes: [Row] =
        rows(kSecAttrAccount, strangers + [.bool(true), .date(0), .accessControl])
        + rows(kSecAttrLabel, strangers + [.bool(true), .date(0)])
        + rows(kSecAttrGeneric, strangers + [.bool(false)])
        + rows(kSecAttrCreator, strangers + [.data([1]), .date(0)])
        + rows(kSecAttrIsInvisible, strangers + [.data([1]), .date(0)])
        + rows(kSecAttrSyncViewHint, strangers + [.number(1), .bool(true), .data([0xFF, 0xFE])])
        + rows(
            kSecAttrAccessible,
            strangers + [.number(6), .text("bogus"), .text(""), .text("AK"), .data([0xFF])]
        )
        + rows(kSecAttrAccessControl, strangers + [.text(.whenUnlocked), .data([1]), .number(1)])
        + rows(kSecAttrSynchronizable, strangers + [.text("yes"), .text(""), .data([1]), .date(0)])

    static let dates: [Row] =
        rows(kSecAttrCreationDate, strangers + [.text("2001-01-01"), .number(0), .real(0)])

    @Test(.requirement("QRY-40"), arguments: attributes)
    func `is refused for an attribute`(row: Row) throws {
        try onNewDevice(behavior: .appleSource) { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let bad = Attributes.mail.with(row.key, row.value)
            #expect(Items.add(bad.holding("new")) == errSecParam)
            #expect(Items.find(bad).status == errSecParam)
            #expect(Items.update(bad, [kSecAttrLabel: "x"]) == errSecParam)
            #expect(Items.update(.mail, Attributes().with(row.key, row.value)) == errSecParam)
            #expect(Items.delete(bad) == errSecParam)
            #expect(Snapshot() == before)
        }
    }

    @Test(.requirement("QRY-40"), arguments: dates)
    func `is refused for a date`(row: Row) throws {
        try onNewDevice { _ in
            let bad = Attributes.mail.with(row.key, row.value)
            #expect(Items.add(bad) == errSecParam)
            #expect(Items.find(bad).status == errSecParam)
            #expect(Snapshot().lines == [])
        }
    }

    @Test(
        .requirement("QRY-40"),
        arguments: strangers + [.text("secret"), .number(1), .bool(true), .date(0)]
    )
    func `is refused for the value of an item`(value: Sample) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let entry: Attributes = [kSecValueData: value.object]
            let other = Attributes.mail.with([kSecAttrAccount: "bob"])
            #expect(Items.add(other.with(entry)) == errSecParam)
            #expect(Items.find(.mail.with(entry)).status == errSecParam)
            #expect(Items.update(.mail, entry) == errSecParam)
            #expect(Items.delete(.mail.with(entry)) == errSecParam)
            #expect(Snapshot() == before)
        }
    }

    @Test(
        .requirement("QRY-40"),
        arguments: [
            String.returnData, .returnAttributes, .returnReference, .returnPersistentReference,
        ],
        strangers + [.number(1), .number(0), .real(1), .text("true"), .data([1])]
    )
    func `is refused for a return flag`(key: String, value: Sample) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let other = Attributes.mail.with([kSecAttrAccount: "bob"])
            #expect(Items.find(.mail.with(key, value)).status == errSecParam)
            #expect(Items.add(other.with(key, value)) == errSecParam)
            #expect(Items.delete(.mail.with(key, value)) == errSecParam)
            #expect(Snapshot().lines.count == 1)
        }
    }

    static let searchKeys: [Row] =
        rows(kSecUseAuthenticationUI, strangers + [.number(1), .bool(true)])
        + rows(String.useOperationPrompt as CFString, strangers + [.number(1)])
        + rows(kSecMatchTrustedOnly, strangers + [.number(1), .text("true")])
        + rows(kSecMatchValidOnDate, [.list, .text("today"), .number(0)])
        + rows(kSecMatchEmailAddressIfPresent, strangers + [.number(1)])
        + rows(String.matchHostOrSubdomain as CFString, strangers + [.number(1)])
        + rows(kSecValueRef, [.null, .text("key"), .data([1]), .number(1), .stranger])

    @Test(.requirement("QRY-40"), arguments: searchKeys)
    func `is refused for the other keys of a search`(row: Row) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            #expect(Items.find(.mail.with(row.key, row.value)).status == errSecParam)
        }
    }

    @Test(arguments: strangers + [.number(1), .bool(true), .data([0xFF]), .text("")])
    func `is nobody's access group`(value: Sample) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let bad = Attributes.mail.with([kSecAttrAccessGroup: value.object])
            #expect(Items.add(bad) == errSecMissingEntitlement)
            #expect(Items.find(bad).status == errSecMissingEntitlement)
            #expect(Items.delete(bad) == errSecMissingEntitlement)
            #expect(Items.update(.mail, [kSecAttrAccessGroup: value.object]) == -34018)
            #expect(Snapshot() == before)
        }
    }
}

@Suite struct `A value of another type` {
    struct Row: Sendable, CustomTestStringConvertible {
        let item: StoredClass
        let attribute: String
        let stored: Sample
        /// What comes back.
        let returned: Sample
        /// What else finds the item.
        let alike: [Sample]
        /// What does not.
        let unlike: [Sample]

        init(
            _ item: StoredClass,
            _ attribute: CFString,
            _ stored: Sample,
            returned: Sample? = nil,
            alike: [Sample] = [],
            unlike: [Sample] = []
        ) {
            self.item = item
            self.attribute = attribute as String
            self.stored = stored
            self.returned = returned ?? stored
            self.alike = alike
            self.unlike = unlike
        }

        var testDescription: String { "\(attribute) = \(stored.testDescription)" }
    }

    static let rows: [Row] = [
        // Texts, data and numbers are kept as given and compared by their bytes.
        Row(
            .genericPassword,
            kSecAttrAccount,
            .text("x"),
            alike: [.data([0x78])],
            unlike: [.data([0x78, 0]), .text("X")]
        ),
        Row(.genericPassword, kSecAttrAccount, .data([0x78]), alike: [.text("x")]),
        Row(.genericPassword, kSecAttrAccount, .data([0xFF, 0xFE, 0x00])),
        Row(
            .genericPassword,
            kSecAttrService,
            .number(5),
            alike: [.data([5, 0, 0, 0])],
            unlike: [.text("5"), .number(6)]
        ),
        Row(.internetPassword, kSecAttrServer, .data([0x61]), alike: [.text("a")]),
        // Numbers: truth values count, decimal text counts, other text stays text.
        Row(
            .internetPassword,
            kSecAttrPort,
            .text("80"),
            returned: .number(80),
            alike: [.number(80), .real(80)],
            unlike: [.text("080"), .text("80 "), .real(80.5)]
        ),
        Row(.internetPassword, kSecAttrPort, .text(""), unlike: [.number(0)]),
        Row(.internetPassword, kSecAttrProtocol, .text("http"), unlike: [.text("HTTP")]),
        Row(.genericPassword, kSecAttrCreator, .text("2147483648")),
        Row(.genericPassword, kSecAttrCreator, .number(2_147_483_648)),
        Row(.genericPassword, kSecAttrCreator, .number(-1), alike: [.text("-1")]),
        Row(.genericPassword, kSecAttrType, .real(0.5), unlike: [.number(0)]),
        Row(
            .genericPassword,
            kSecAttrIsInvisible,
            .bool(true),
            returned: .number(1),
            alike: [.number(1), .text("1"), .real(1)],
            unlike: [.number(2), .bool(false)]
        ),
        // Data: text becomes its bytes, a number its four bytes.
        Row(
            .certificate,
            kSecAttrIssuer,
            .text("CA"),
            returned: .data([0x43, 0x41]),
            alike: [.data([0x43, 0x41])]
        ),
        Row(.certificate, kSecAttrSubject, .number(258), returned: .data([2, 1, 0, 0])),
        // Texts: data is read as UTF-8.
        Row(
            .genericPassword,
            kSecAttrAccessible,
            .data([0x63, 0x6B]),
            returned: .text(.afterFirstUnlock),
            alike: [.text(.afterFirstUnlock)]
        ),
        Row(
            .genericPassword,
            kSecAttrSyncViewHint,
            .data([0x61]),
            returned: .text("a"),
            alike: [.text("a")]
        ),
    ]

    @Test(arguments: rows)
    func `is understood by the rules of its attribute`(row: Row) throws {
        try onNewDevice { _ in
            let item = row.item.item.with(row.attribute, row.stored)
            let all: Attributes = [kSecClass: row.item.code]
            #expect(Items.add(item.holding("secret")) == errSecSuccess)
            #expect(row.returned.equals(Items.attributes(all)[row.attribute]))
            #expect(Items.value(all.with(row.attribute, row.stored)) == "secret")
            let alike = row.alike.map { Items.find(all.with(row.attribute, $0)).status }
            #expect(alike == row.alike.map { _ in errSecSuccess })
            let unlike = row.unlike.map { Items.find(all.with(row.attribute, $0)).status }
            #expect(unlike == row.unlike.map { _ in errSecItemNotFound })
        }
    }

    @Test func `collides with its like in the primary key`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            let data = Attributes.mail.with([kSecAttrAccount: Data("ada".utf8)])
            #expect(Items.add(data.holding("new")) == errSecDuplicateItem)
            #expect(Items.value(data) == "secret")
        }
    }

    @Test(arguments: [Sample.bool(true), .number(1), .text("1"), .real(1)])
    func `says that an item is synchronizable`(value: Sample) throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with([kSecAttrSynchronizable: value.object])
            #expect(Items.add(item.holding("secret")) == errSecSuccess)
            #expect(Items.find(.mail).status == errSecItemNotFound)
            #expect(Items.value(.mail.with([kSecAttrSynchronizable: true])) == "secret")
        }
    }
}
