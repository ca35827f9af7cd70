import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// A dictionary of a function that takes one.
private enum Place: Sendable, CaseIterable {
    case add, find, updateQuery, newValues, delete

    /// Calls the function with the entry, on a device that holds `mail`.
    func call(with entry: Attributes) -> OSStatus {
        switch self {
        case .add: Items.add(Attributes.mail.with([kSecAttrAccount: "bob"]).with(entry))
        case .find: Items.find(.mail.with(entry)).status
        case .updateQuery: Items.update(.mail.with(entry), [kSecAttrLabel: "changed"])
        case .newValues:
            Items.update(.mail, ([kSecAttrComment: "changed"] as Attributes).with(entry))
        case .delete: Items.delete(.mail.with(entry))
        }
    }
}

/// ★ A key of each property group, and where it is refused.
private struct Group: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: String
    let value: Sample
    let refused: Set<Place>
    /// On a Mac's data protection keychain.
    let refusedOnMac: Set<Place>

    init(
        _ description: String,
        _ key: CFString,
        _ value: Sample,
        refused: Set<Place>,
        onMac: Set<Place>
    ) {
        self.testDescription = description
        self.key = key as String
        self.value = value
        self.refused = refused
        self.refusedOnMac = onMac
    }

    static let all = [
        Group(
            .itemClass,
            kSecClass,
            .text(.genericPassword),
            refused: [.newValues],
            onMac: [.newValues]
        ),
        Group("attribute", kSecAttrType, .number(1), refused: [], onMac: []),
        Group(
            "search",
            kSecMatchLimit,
            .text(.limitAll),
            refused: [.add, .updateQuery, .newValues, .delete],
            onMac: [.newValues]
        ),
        Group(
            "return type",
            kSecReturnData,
            .bool(true),
            refused: [.updateQuery, .newValues],
            onMac: [.newValues]
        ),
        Group("value", kSecValueData, .data([1]), refused: [], onMac: []),
        Group(
            "no group: which keychain",
            kSecUseDataProtectionKeychain,
            .bool(true),
            refused: [],
            onMac: []
        ),
    ]
}

@Suite struct `A property group` {
    @Test(.requirement("QRY-05"), arguments: Group.all, Place.allCases)
    private func `is accepted where it applies and refused elsewhere`(
        group: Group,
        place: Place
    ) throws {
        try check(group, place, on: .iOS(26), refused: group.refused)
    }

    @Test(.requirement("QRY-05"), arguments: Group.all, Place.allCases)
    private func `is ignored rather than refused where a Mac removes it`(
        group: Group,
        place: Place
    ) throws {
        try check(group, place, on: .macOS(26), refused: group.refusedOnMac)
    }

    private func check(
        _ group: Group,
        _ place: Place,
        on system: SystemProfile,
        refused: Set<Place>
    ) throws {
        try onNewDevice(system) { _ in
            Items.add(.mail.with([kSecAttrType: 1]).holding("here"))
            let before = Snapshot()
            let status = place.call(with: [group.key as CFString: group.value.object])
            let isRefused = refused.contains(place)
            #expect(status == (isRefused ? errSecParam : errSecSuccess))
            if isRefused || place == .find { #expect(Snapshot() == before) }
        }
    }
}

@Suite struct `An add` {
    @Test(
        .requirement("QRY-06"),
        .contradiction("match-keys-in-add"),
        arguments: [
            (kSecMatchLimit as String, Sample.text(.limitOne)),
            (kSecMatchLimit as String, .text(.limitAll)),
            (kSecMatchLimit as String, .number(1)),
            (kSecMatchCaseInsensitive as String, .bool(true)),
            (kSecMatchItemList as String, .list),
            (kSecMatchSearchList as String, .list),
            (kSecMatchTrustedOnly as String, .bool(true)),
            (kSecMatchValidOnDate as String, .null),
            ("m_Unheard", .text("of")),
        ]
    )
    func `takes no search key and stores nothing then`(key: String, value: Sample) throws {
        try onNewDevice { device in
            let item = Attributes.mail.holding("secret").with(key, value)
            #expect(Items.add(item) == errSecParam)
            #expect(Snapshot().lines == [])
            #expect(device.finding("match-key-in-write")?.status == errSecParam)
        }
    }
}

@Suite struct `A search` {
    @Test(.requirement("QRY-07"), .contradiction("value-in-search"))
    func `does not compare the value, and says so`() throws {
        try onNewDevice { device in
            Items.add(.mail.holding("right"))
            let query = Attributes.mail.holding("wrong").with([kSecReturnData: true])
            #expect(Items.find(query).text == "right")
            #expect(device.finding("value-in-search")?.status == errSecSuccess)
        }
    }

    @Test(.requirement("QRY-07"), .contradiction("value-in-search"))
    func `can delete with the dictionary of the add`() throws {
        try onNewDevice { device in
            let item = Attributes.mail.holding("secret")
            Items.add(item)
            Items.update(.mail, Attributes().holding("another"))
            #expect(Items.delete(item) == errSecSuccess)
            #expect(device.finding("value-in-search")?.verb == .delete)
        }
    }

    static let returnKeys = [
        String.returnData, .returnAttributes, .returnReference, .returnPersistentReference,
    ]

    @Test(.requirement("QRY-10"), arguments: returnKeys)
    func `deletes whatever it is asked to return`(key: String) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("secret"))
            #expect(Items.delete(.mail.with(key, .bool(true))) == errSecSuccess)
            #expect(Items.find(.mail).status == errSecItemNotFound)
        }
    }

    @Test(.requirement("QRY-08"), arguments: returnKeys)
    func `returns nothing from an update on iOS`(key: String) throws {
        try onNewDevice(.iOS(26)) { device in
            Items.add(.mail.holding("secret"))
            let before = Snapshot()
            let changes = Attributes().holding("changed")
            #expect(Items.update(.mail.with(key, .bool(true)), changes) == errSecParam)
            #expect(Snapshot() == before)
            #expect(device.finding("return-key-in-update")?.status == errSecParam)
            #expect(Items.update(.mail.with(key, .bool(false)), changes) == errSecSuccess)
        }
    }

    @Test(.requirement("QRY-08"), arguments: returnKeys)
    func `updates whatever it is asked to return on macOS`(key: String) throws {
        try onNewDevice(.macOS(26)) { device in
            Items.add(.mail.holding("secret"))
            let changes = Attributes().holding("changed")
            #expect(Items.update(.mail.with(key, .bool(true)), changes) == errSecSuccess)
            #expect(Items.value(.mail) == "changed")
            #expect(device.finding("return-key-in-update")?.status == errSecSuccess)
        }
    }

    @Test(.requirement("QRY-47"))
    func `is alone in skipping items that need a person`() throws {
        try onNewDevice { device in
            Items.add(.mail.holding("secret"))
            let before = Snapshot()
            let skip: Attributes = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
            let other = Attributes.mail.with([kSecAttrAccount: "bob"])
            #expect(Items.add(other.with(skip)) == errSecParam)
            #expect(Items.update(.mail.with(skip), [kSecAttrLabel: "x"]) == errSecParam)
            #expect(Items.delete(.mail.with(skip)) == errSecParam)
            #expect(device.findings.filter { $0.rule == "misplaced-interface-skip" }.count == 3)
            #expect(Snapshot() == before)
            #expect(Items.value(.mail.with(skip)) == "secret")
        }
    }
}

@Suite struct `New values` {
    static let foreign: [(String, Sample)] = [
        (String.itemClass, .text(.genericPassword)),
        (String.matchLimit, .text(.limitAll)),
        (String.matchCaseInsensitive, .bool(true)),
        (String.returnData, .bool(true)),
        (String.returnAttributes, .bool(false)),
        (String.returnPersistentReference, .bool(true)),
        (String.valuePersistentReference, .data([1])),
        (String.valueReference, .stranger),
        (String.useAuthenticationUI, .text(.interfaceFail)),
        ("persistref", .data([1])),
    ]

    @Test(.requirement("QRY-09"), arguments: foreign)
    func `are attributes and data, or errSecParam`(key: String, value: Sample) throws {
        try check(.documented, key, value, errSecParam)
    }

    @Test(.requirement("QRY-09"), arguments: foreign)
    func `are attributes and data, or errSecNoSuchAttr in Apple's source`(
        key: String,
        value: Sample
    ) throws {
        try check(.appleSource, key, value, errSecNoSuchAttr)
    }

    private func check(
        _ behavior: BehaviorProfile,
        _ key: String,
        _ value: Sample,
        _ expected: OSStatus
    ) throws {
        try onNewDevice(behavior: behavior) { device in
            Items.add(.mail.holding("secret"))
            let before = Snapshot()
            let changes = ([kSecAttrLabel: "changed"] as Attributes).with(key, value)
            #expect(Items.update(.mail, changes) == expected)
            #expect(Snapshot() == before)
            #expect(device.finding("class-in-update")?.status == expected)
            #expect(device.finding("class-in-update")?.otherProfile?.contains("(-25303)") == true)
        }
    }
}
