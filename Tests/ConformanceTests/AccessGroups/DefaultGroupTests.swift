import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The access group of an item` {
    let device: SimulatedDevice

    init() throws { device = try SimulatedDevice() }

    /// An app's declared groups, and where an item without a group goes.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let manifest: SimulatedApp.Manifest
        let group: String?

        init(_ description: String, _ manifest: SimulatedApp.Manifest, goesTo group: String?) {
            self.testDescription = description
            self.manifest = manifest
            self.group = group
        }
    }

    @Test(
        .requirement("GRP-01", "GRP-02", "GRP-03", "GRP-04"),
        arguments: [
            Row(
                "no groups",
                .init(bundleIdentifier: "com.example.app"),
                goesTo: "TEAMID1234.com.example.app"
            ),
            Row(
                "another team",
                .init(bundleIdentifier: "com.example.app", teamIdentifier: "OTHERTEAM1"),
                goesTo: "OTHERTEAM1.com.example.app"
            ),
            Row(
                "two keychain groups",
                .init(
                    bundleIdentifier: "com.example.app",
                    keychainAccessGroups: ["com.example.first", "com.example.second"]
                ),
                goesTo: "TEAMID1234.com.example.first"
            ),
            Row(
                "an application group",
                .init(
                    bundleIdentifier: "com.example.app",
                    applicationGroups: ["group.com.example"]
                ),
                goesTo: "TEAMID1234.com.example.app"
            ),
            Row(
                "both kinds of groups",
                .init(
                    bundleIdentifier: "com.example.app",
                    keychainAccessGroups: ["com.example.first"],
                    applicationGroups: ["group.com.example"]
                ),
                goesTo: "TEAMID1234.com.example.first"
            ),
            Row(
                "an application group and nothing else",
                .init(bundleIdentifier: "", applicationGroups: ["group.com.example"]),
                goesTo: nil
            ),
        ]
    )
    func `is the program's first one unless another is named`(row: Row) {
        let password = Password()
        device.install(row.manifest).run {
            guard let group = row.group else {
                #expect(password.add() == errSecMissingEntitlement)
                #expect(password.read() == .notFound)
                return
            }
            #expect(password.add() == errSecSuccess)
            let found = password.attributes().found
            #expect(found[kSecAttrAccessGroup as String] as? String == group)
        }
    }

    @Test(.requirement("GRP-05", "GRP-09"), arguments: Self.everyGroup)
    func `is the named one when the program is entitled to it`(group: String) {
        let password = Password(group: group)
        device.install(Self.entitled).run {
            #expect(password.add() == errSecSuccess)
            let found = Password().attributes().found
            #expect(found[kSecAttrAccessGroup as String] as? String == group)
            #expect(password.read() == .value)
            #expect(password.update("another") == errSecSuccess)
            #expect(password.delete() == errSecSuccess)
        }
    }

    static let entitled = SimulatedApp.Manifest(
        bundleIdentifier: "com.example.app",
        keychainAccessGroups: ["com.example.shared"],
        applicationGroups: ["group.com.example"]
    )
    static let everyGroup = [
        "TEAMID1234.com.example.shared", "TEAMID1234.com.example.app", "group.com.example",
    ]

    @Test(
        .requirement("GRP-01"),
        arguments: [String.genericPassword, .internetPassword, .certificate, .key]
    )
    func `is one string in every class`(itemClass: String) {
        let query: [CFString: Any] = [kSecClass: itemClass, kSecAttrLabel: "an item"]
        var added = query
        added[kSecValueData] = Data("open sesame".utf8)
        if itemClass == .key { added[kSecAttrKeyType] = kSecAttrKeyTypeRSA }
        var search = query
        search[kSecReturnAttributes] = true
        search[kSecMatchLimit] = kSecMatchLimitAll
        device.installExample().run {
            #expect(SecItemAdd(added as CFDictionary, nil) == errSecSuccess)
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(search as CFDictionary, &result) == errSecSuccess)
            let groups = (result as? [[String: Any]])?.map { $0[kSecAttrAccessGroup as String] }
            #expect(groups?.count == 1)
            #expect(groups?.first as? String == "TEAMID1234.com.example.app")
        }
    }

    @Test(.requirement("GRP-19", "GRP-13"))
    func `is part of what tells two items apart`() {
        device.install(Self.entitled).run {
            #expect(Password(group: Self.everyGroup[0]).add("one") == errSecSuccess)
            #expect(Password(group: Self.everyGroup[1]).add("two") == errSecSuccess)
            #expect(Password(group: Self.everyGroup[2]).add("three") == errSecSuccess)
            #expect(Password(group: Self.everyGroup[2]).add("four") == errSecDuplicateItem)
            let found = values(of: Password())
            #expect(found == ["one", "two", "three"])
            #expect(values(of: Password(group: Self.everyGroup[1])) == ["two"])
            #expect(Password(group: Self.everyGroup[0]).delete() == errSecSuccess)
            #expect(values(of: Password()) == ["two", "three"])
        }
    }

    private func values(of password: Password) -> [String] {
        var search = password.query
        search[kSecMatchLimit as String] = kSecMatchLimitAll
        search[kSecReturnData as String] = true
        var result: CFTypeRef?
        SecItemCopyMatching(search as CFDictionary, &result)
        return (result as? [Data] ?? []).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite struct `Moving an item to another group` {
    private func prepared(_ behavior: BehaviorProfile) throws -> SimulatedApp {
        let device = try SimulatedDevice(behavior: behavior)
        let app = device.install(`The access group of an item`.entitled)
        app.run { _ = Password().add() }
        return app
    }

    @Test(arguments: ["TEAMID1234.com.example.app", "group.com.example"])
    func `is an update where the program may name both`(group: String) throws {
        try prepared(.documented).run {
            #expect(Password().update([kSecAttrAccessGroup: group]) == errSecSuccess)
            #expect(Password(group: group).read() == .value)
            let old = Password(group: "TEAMID1234.com.example.shared")
            #expect(old.read() == .notFound)
        }
    }

    @Test(.requirement("GRP-06")) func `is refused where it may not name the new one`() throws {
        try prepared(.documented).run {
            let foreign: [CFString: Any] = [kSecAttrAccessGroup: "TEAMID1234.com.example.other"]
            #expect(Password().update(foreign) == errSecMissingEntitlement)
            #expect(Password(group: "TEAMID1234.com.example.shared").read() == .value)
        }
    }

    @Test func `is a duplicate where the new one has such an item`() throws {
        try prepared(.documented).run {
            let other = Password(group: "group.com.example")
            #expect(other.add("other") == errSecSuccess)
            let first = Password(group: "TEAMID1234.com.example.shared")
            #expect(
                first.update([kSecAttrAccessGroup: "group.com.example"]) == errSecDuplicateItem
            )
            #expect(first.read() == .value)
            #expect(other.read() == Reading(errSecSuccess, "other"))
        }
    }

    @Test func `can be switched off`() throws {
        var behavior = BehaviorProfile.documented
        behavior.accessGroupUpdate = .reject
        try prepared(behavior).run {
            let status = Password().update([kSecAttrAccessGroup: "group.com.example"])
            #expect(status == errSecParam)
            #expect(Password(group: "TEAMID1234.com.example.shared").read() == .value)
        }
    }
}
