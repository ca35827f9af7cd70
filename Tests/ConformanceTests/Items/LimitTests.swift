import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A limit` {
    private static var service: Attributes {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail",
        ]
    }

    private func withItems(
        _ count: Int,
        on system: SystemProfile = .iOS(26),
        _ body: (SimulatedDevice) throws -> Void
    ) throws {
        try onNewDevice(system) { device in
            for number in 0..<count {
                let item = Self.service.with([kSecAttrAccount: "account \(number)"])
                #expect(Items.add(item.holding("value \(number)")) == errSecSuccess)
            }
            try body(device)
        }
    }

    @Test func `is one unless another is given`() throws {
        try withItems(3) { _ in
            #expect(Items.find(Self.service.with([kSecReturnData: true])).data != nil)
            let found = Items.find(Self.service.with([kSecReturnAttributes: true]))
            #expect(found.attributes[kSecAttrAccount as String] is String)
            #expect(Items.reference(Self.service) != nil)
        }
    }

    @Test(
        .requirement("QRY-12"),
        arguments: [String.returnData, .returnAttributes, .returnPersistentReference]
    )
    func `of all makes an array, also of one`(key: String) throws {
        try withItems(1) { _ in
            let query = Self.service.with([kSecMatchLimit: kSecMatchLimitAll])
            let found = Items.find(query.with(key, .bool(true)))
            #expect(found.list.count == 1)
            let attributes = (found.list.first as? [String: Any])?[.account] as? String
            #expect((attributes == "account 0") == (key == .returnAttributes))
            #expect((found.list.first is Data) == (key != .returnAttributes))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let limit: Sample
        /// How many items come back; nil for a bare value.
        let count: Int?

        var testDescription: String { limit.testDescription }
    }

    @Test(
        .requirement("QRY-13"),
        arguments: [
            Row(limit: .number(1), count: nil),
            Row(limit: .text(.limitOne), count: nil),
            Row(limit: .number(2), count: 2),
            Row(limit: .real(2), count: 2),
            Row(limit: .number(5), count: 5),
            Row(limit: .number(6), count: 5),
            Row(limit: .number(.max), count: 5),
            Row(limit: .number(-1), count: 5),
            Row(limit: .text(.limitAll), count: 5),
        ]
    )
    func `may be a number`(row: Row) throws {
        try withItems(5) { _ in
            let query = Self.service.with([kSecReturnData: true, kSecMatchLimit: row.limit.object])
            let found = Items.find(query)
            #expect(found.status == errSecSuccess)
            #expect((found.data != nil) == (row.count == nil))
            #expect(found.list.count == (row.count ?? 0))
        }
    }

    @Test(.requirement("QRY-13"))
    func `of nothing finds nothing`() throws {
        try withItems(1) { _ in
            let found = Items.find(Self.service.with([kSecMatchLimit: 0, kSecReturnData: true]))
            #expect(found.status == errSecItemNotFound && found.object == nil)
        }
    }

    @Test(
        .requirement("QRY-13"),
        arguments: [
            Sample.real(2.5), .real(.nan), .real(.infinity), .real(1e30), .bool(true), .text("two"),
            .text("2"), .text(""), .data([2]), .null, .list,
        ]
    )
    func `that is no number is refused`(limit: Sample) throws {
        try withItems(1) { _ in
            let query = Self.service.with([kSecMatchLimit: limit.object, kSecReturnData: true])
            #expect(Items.find(query).status == errSecParam)
        }
    }

    @Test(.requirement("QRY-14"), arguments: [SystemProfile.iOS(26), .macOS(26)])
    func `does not apply to a delete, which takes every match`(system: SystemProfile) throws {
        try withItems(3, on: system) { device in
            let other = Self.service.with([kSecAttrService: "other"])
            Items.add(other.holding("stays"))
            #expect(Items.delete(Self.service) == errSecSuccess)
            #expect(Items.count(Self.service) == 0)
            #expect(Items.find(Self.service).status == errSecItemNotFound)
            #expect(Items.value(other) == "stays")
            #expect(device.finding("broad-delete")?.sentence.contains("3") == true)
        }
    }

    @Test(arguments: [String.limitOne, .limitAll])
    func `in a delete deletes nothing on iOS and everything on macOS`(limit: String) throws {
        let query = Self.service.with([kSecMatchLimit: limit])
        try withItems(3, on: .iOS(26)) { device in
            let before = Snapshot()
            #expect(Items.delete(query) == errSecParam)
            #expect(Items.update(query, [kSecAttrLabel: "x"]) == errSecParam)
            #expect(Snapshot() == before)
            #expect(device.finding("match-key-in-write")?.otherProfile?.contains("macOS") == true)
        }
        try withItems(3, on: .macOS(26)) { _ in
            #expect(Items.update(query, [kSecAttrLabel: "x"]) == errSecSuccess)
            #expect(Items.count(Self.service.with([kSecAttrLabel: "x"])) == 3)
            #expect(Items.delete(query) == errSecSuccess)
            #expect(Items.count(Self.service) == 0)
        }
    }

    @Test(.requirement("QRY-16"), .contradiction("update-limit"))
    func `does not apply to an update, which changes every match`() throws {
        try withItems(3) { _ in
            Items.add(Self.service.with([kSecAttrService: "other"]))
            #expect(Items.update(Self.service, [kSecAttrLabel: "new"]) == errSecSuccess)
            let labelled: Attributes = [
                kSecClass: kSecClassGenericPassword, kSecAttrLabel: "new",
            ]
            #expect(Items.count(labelled) == 3)
            #expect(Items.count(Self.service.with([kSecAttrLabel: "new"])) == 3)
        }
    }

    @Test(.requirement("QRY-45"), .contradiction("data-of-all"))
    func `of all works with the data of passwords`() throws {
        try withItems(3) { _ in
            let query = Self.service.with([
                kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
                kSecReturnData: true,
            ])
            let values = Items.find(query).dictionaries.compactMap {
                $0[kSecValueData as String] as? Data
            }
            let expected = (0..<3).map { Data("value \($0)".utf8) }
            #expect(values == expected)
        }
    }

    @Test(.requirement("QRY-44"), arguments: [String.returnData, .returnAttributes])
    func `of all fails as a whole when one item is out of reach`(key: String) throws {
        try onNewDevice { device in
            let open = Self.service.with([
                kSecAttrAccount: "open", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
            ])
            let closed = Self.service.with([
                kSecAttrAccount: "closed", kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
            ])
            Items.add(open.holding("open"))
            Items.add(closed.holding("closed"))
            let query = Self.service.with([kSecMatchLimit: kSecMatchLimitAll])
                .with(key, .bool(true))
            device.lock()
            let found = Items.find(query)
            #expect(found.status == errSecInteractionNotAllowed && found.object == nil)
            #expect(Items.value(open) == "open")
            try device.unlock(passcode: "0000")
            #expect(Items.find(query).list.count == 2)
        }
    }

    @Test(.requirement("QRY-46"))
    func `of all lists every group of the app, and no other`() throws {
        try onNewDevice(groups: ["one", "two"]) { device in
            for group in ["one", "two", "com.example.app"] {
                let item = Self.service.with([kSecAttrAccessGroup: "TEAMID1234." + group])
                #expect(Items.add(item.holding(group)) == errSecSuccess)
            }
            device.install(.init(bundleIdentifier: "com.example.other")).run {
                #expect(Items.add(Self.service.holding("foreign")) == errSecSuccess)
            }
            let found = Items.find([
                kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: true,
            ])
            let groups = found.dictionaries.map { $0[kSecAttrAccessGroup as String] as? String }
            #expect(
                groups == ["TEAMID1234.one", "TEAMID1234.two", "TEAMID1234.com.example.app"]
            )
        }
    }
}
