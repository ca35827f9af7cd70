import Cryptography
import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Hostile input` {
    /// All four functions with one dictionary.
    private func statuses(_ query: CFDictionary) -> [OSStatus] {
        [
            SecItemAdd(query, nil), SecItemCopyMatching(query, nil),
            SecItemUpdate(query, [kSecAttrLabel: "x"] as NSDictionary), SecItemDelete(query),
        ]
    }

    private func expectRefusal(_ query: CFDictionary) throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            #expect(statuses(query) == [errSecParam, errSecParam, errSecParam, errSecParam])
            #expect(SecItemUpdate(Attributes.mail as CFDictionary, query) == errSecParam)
            #expect(Snapshot() == before)
        }
    }

    @Test(
        arguments: [
            "", "x", "abc", "abcde", "classy", "r_Unknown", "u_Unknown", "v_Unknown", "persistref",
            "rowid", "été", "🔑🔑", "\u{0}\u{0}\u{0}\u{0}\u{0}", "acct\u{0}",
            String(repeating: "k", count: 100_000),
        ]
    )
    func `in the form of an unknown key is refused`(key: String) throws {
        let query = Attributes.mail.with([key as CFString: "value"])
        try expectRefusal(query as CFDictionary)
    }

    @Test(arguments: [Sample.number(1), .data([1]), .bool(true), .date(0), .null])
    func `in the form of a key that is no string is refused`(key: Sample) throws {
        let query = NSMutableDictionary()
        query.addEntries(from: Attributes.mail)
        let object = try #require(key.object as AnyObject as? NSObject)
        query.setObject("value", forKey: object)
        try expectRefusal(query)
    }

    @Test func `of more than 128 keys is refused, 128 are not`() throws {
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            let keys = (Attributes.mail.count..<128).map { ("filler \($0)" as CFString, "" as Any) }
            let full = Attributes.mail.merging(keys) { $1 }
            #expect(full.count == 128)
            #expect(Items.find(full).status == errSecSuccess)
            let tooFull = full.with(["filler" as CFString: ""])
            #expect(statuses(tooFull as CFDictionary) == Array(repeating: errSecParam, count: 4))
            #expect(Items.update(.mail, tooFull) == errSecParam)
            #expect(Snapshot() == before)
        }
    }

    @Test func `without any key is refused`() throws {
        try onNewDevice { _ in
            #expect(statuses([:] as NSDictionary) == Array(repeating: errSecParam, count: 4))
        }
    }

    @Test(
        .requirement("API-15"),
        arguments: [
            String.account, .accessControl, .accessible, .returnData, .valueData, .matchLimit,
        ]
    )
    func `in the form of a nil or null value is refused`(key: String) throws {
        let nothing: String? = nil
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, key: nothing as Any,
        ]
        let null: NSDictionary = [kSecClass: kSecClassGenericPassword, key: NSNull()]
        try onNewDevice { _ in
            Items.add(.mail.holding("here"))
            let before = Snapshot()
            #expect(statuses(query as CFDictionary) == Array(repeating: errSecParam, count: 4))
            #expect(statuses(null) == Array(repeating: errSecParam, count: 4))
            #expect(Snapshot() == before)
        }
    }

    @Test(
        arguments: [
            "", " ", "a\u{0}b", "\u{0}", "\u{0}\u{0}", "e\u{301}", "\u{E9}", "ﬀ", "🔑", "\u{200B}",
            "\u{FEFF}ada", "line\nbreak\r\n", "'; DROP TABLE genp; --", "%", "_", "\u{FFFF}",
            String(repeating: "long ", count: 20_000),
        ]
    )
    func `in the form of odd text is stored and found as it is`(text: String) throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with([kSecAttrAccount: text, kSecAttrLabel: text])
            Items.add(.mail.holding("another"))
            #expect(Items.add(item.holding(text)) == errSecSuccess)
            #expect(Items.add(item) == errSecDuplicateItem)
            #expect(Items.count(item) == 1)
            let found = Items.find(item.with([kSecReturnAttributes: true, kSecReturnData: true]))
            let account = found.attributes[.account] as? String
            #expect(account.map { Array($0.utf16) } == Array(text.utf16))
            #expect(found.attributes[.valueData] as? Data == Data(text.utf8))
        }
    }

    @Test func `of the same look but other bytes is another item`() throws {
        try onNewDevice { _ in
            let composed = Attributes.mail.with([kSecAttrAccount: "\u{E9}"])
            let decomposed = Attributes.mail.with([kSecAttrAccount: "e\u{301}"])
            #expect(Items.add(composed.holding("one")) == errSecSuccess)
            #expect(Items.add(decomposed.holding("two")) == errSecSuccess)
            #expect(Items.value(composed) == "one" && Items.value(decomposed) == "two")
        }
    }

    @Test func `of half a surrogate pair does no harm`() throws {
        try onNewDevice { _ in
            let half = NSString(characters: [0xD800, 0x61], length: 2)
            let item = Attributes.mail.with([kSecAttrAccount: half])
            #expect(Items.add(item.holding("secret")) == errSecSuccess)
            #expect(Items.value(item) == "secret")
            #expect(Items.delete(item) == errSecSuccess)
        }
    }

    @Test(
        arguments: [
            Sample.number(.max), .number(.min), .real(.infinity), .real(-.infinity), .real(.nan),
            .real(.greatestFiniteMagnitude), .real(-0.0), .real(.leastNonzeroMagnitude),
        ]
    )
    func `in the form of an odd number does no harm`(number: Sample) throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with([
                kSecAttrAccount: number.object, kSecAttrCreator: number.object,
            ])
            Items.add(.mail.holding("another"))
            #expect(Items.add(item.holding("secret")) == errSecSuccess)
            #expect(Items.add(item) == errSecDuplicateItem)
            #expect(Items.value(item) == "secret")
            #expect(Items.delete(item) == errSecSuccess)
            #expect(Items.value(.mail) == "another")
        }
    }

    @Test func `in the form of a number without a sign does no harm`() throws {
        try onNewDevice { _ in
            let item = Attributes.mail.with([kSecAttrCreator: NSNumber(value: UInt64.max)])
            #expect(Items.add(item) == errSecSuccess)
            #expect(Items.find(item).status == errSecSuccess)
        }
    }

    @Test func `in nested collections without end is refused`() throws {
        var nested = NSArray(object: "x")
        for _ in 0..<200 { nested = NSArray(object: nested) }
        let query = Attributes.mail.with([kSecAttrAccount: nested])
        try expectRefusal(query as CFDictionary)
    }
}

@Suite struct `Random dictionaries` {
    private static let keys = [
        String.itemClass, .account, .service, .label, .generic, .accessible, .accessControl,
        .accessGroup, .synchronizable, .tombstone, .multiUser,
        String.appClipItem, .port, .protocolName, .keyClass, .type, .issuer, .noLegacy, .matchLimit,
        .matchCaseInsensitive,
        String.matchValidOnDate, .returnData, .returnAttributes, .returnReference,
        .returnPersistentReference, .valueData, .valueReference,
        String.valuePersistentReference, .useAuthenticationUI, .useTombstones,
        .useCredentialReference, .useAuthenticationContext, "fun", "x", "",
    ]

    private static let values: [Sample] = [
        .text(.genericPassword), .text(.internetPassword), .text(.key), .text(.certificate),
        .text(.identity), .text(""),
        .text(.whenUnlocked), .text(.synchronizableAny), .text(.limitAll), .text(.interfaceSkip),
        .text("ada"),
        .data([]), .data([1, 2, 3]),
        .data(Array(String.genericPassword.utf8) + Array(repeating: 0, count: 16)),
        .number(0), .number(1), .number(-1), .number(.max), .real(0.5), .bool(true), .bool(false),
        .date(0), .null, .list, .dictionary, .url, .stranger, .accessControl,
    ]

    private static func dictionary(_ dice: inout SeededNumbers) -> Attributes {
        var query: Attributes = [:]
        if Int.random(in: 0..<4, using: &dice) > 0 { query[kSecClass] = kSecClassGenericPassword }
        for _ in 0..<Int.random(in: 0..<6, using: &dice) {
            guard let key = keys.randomElement(using: &dice),
                let value = values.randomElement(using: &dice)
            else { continue }
            query[key as CFString] = value.object
        }
        return query
    }

    private static let expected: Set<OSStatus> = [
        errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecItemNotFound,
        errSecDuplicateItem, errSecMissingEntitlement, errSecUnimplemented,
    ]

    @Test(arguments: 0..<16)
    func `get a status and touch nobody else's items`(seed: UInt64) throws {
        try onNewDevice { device in
            let other = device.install(.init(bundleIdentifier: "com.example.other"))
            let before = other.run {
                Items.add(.mail.holding("foreign"))
                return Snapshot()
            }
            var dice = SeededNumbers(seed: seed)
            for _ in 0..<100 {
                let query = Self.dictionary(&dice)
                let statuses: Set = [
                    Items.adding(query).status, Items.find(query).status,
                    Items.update(query, Self.dictionary(&dice)), Items.delete(query),
                ]
                #expect(statuses.isSubset(of: Self.expected), "seed \(seed): \(query)")
            }
            let after = other.run { Snapshot() }
            #expect(after == before)
        }
    }
}
