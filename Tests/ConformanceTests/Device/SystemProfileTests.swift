import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Apple's iOS Simulator, as a profile` {
    let device: SimulatedDevice
    let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice(system: .iOSSimulator)
        app = device.installExample()
    }

    @Test(.contradiction("ios-simulator"), arguments: Accessibility.all)
    func `shows a lock state that guards nothing`(row: Accessibility) throws {
        app.run { #expect(row.password.add(accessible: row.value) == errSecSuccess) }
        device.lock()
        #expect(device.state == .locked)
        #expect(!device.isProtectedDataAvailable)
        app.run { #expect(row.password.read() == .value) }
        device.reboot()
        #expect(device.state == .beforeFirstUnlock)
        app.run {
            #expect(row.password.read() == .value)
            #expect(row.password.update("another") == errSecSuccess)
        }
        #expect(throws: SimulatorError.self) { try device.unlock(passcode: "9999") }
        #expect(device.state == .beforeFirstUnlock)
        try device.unlock(passcode: "0000")
        #expect(device.state == .unlocked)
    }

    @Test(
        .contradiction("ios-simulator"),
        arguments: ["TEAMID1234.com.example.other", "anything at all"]
    )
    func `lets every program use every group`(group: String) {
        let password = Password(group: group)
        app.run {
            #expect(password.add() == errSecSuccess)
            #expect(password.read() == .value)
            #expect(password.update("another") == errSecSuccess)
            #expect(password.delete() == errSecSuccess)
        }
    }

    @Test func `still tells absent and duplicate items`() {
        app.run {
            #expect(Password().read() == .notFound)
            #expect(Password().add() == errSecSuccess)
            #expect(Password().add() == errSecDuplicateItem)
        }
    }
}

@Suite struct `The flag for the data protection keychain` {
    @Test(arguments: [nil, true, false] as [Bool?], [nil, true, false] as [Bool?])
    func `changes nothing on iOS`(atAdd: Bool?, atRead: Bool?) throws {
        try SimulatedDevice(system: .iOS(26)).installExample().run {
            #expect(Password().add("open sesame", flag(atAdd)) == errSecSuccess)
            #expect(Password().read(flag(atRead)) == .value)
            #expect(Password().update([kSecAttrLabel: "Mail"], where: flag(atRead)) == 0)
            #expect(Password().delete(flag(atAdd)) == errSecSuccess)
        }
    }

    @Test func `stands for groups and classes on a Mac`() throws {
        let mac = try SimulatedDevice(system: .macOS(26))
        mac.installExample().run {
            #expect(Password().add("open sesame", flag(true)) == errSecSuccess)
            let found = Password().attributes(flag(true)).found
            #expect(found[kSecAttrAccessGroup as String] as? String == "TEAMID1234.com.example.app")
            #expect(found[kSecAttrAccessible as String] as? String == .whenUnlocked)
            mac.lock()
            #expect(Password().read(flag(true)) == .notAllowed)
        }
        mac.install(.init(bundleIdentifier: "com.example.other")).run {
            #expect(Password().find(flag(true)) == errSecItemNotFound)
        }
    }

    private func flag(_ value: Bool?) -> [CFString: Any] {
        value.map { [kSecUseDataProtectionKeychain: $0] } ?? [:]
    }
}

@Suite struct `A match key in a delete or an update` {
    typealias MatchKeys = BehaviorProfile.MatchKeysInWrites

    /// A system with a switch, and what becomes of the three items.
    struct Row: Sendable, CustomTestStringConvertible {
        let system: SystemProfile
        let matchKeys: MatchKeys
        let isRefused: Bool

        init(_ system: SystemProfile, _ matchKeys: MatchKeys, isRefused: Bool) {
            self.system = system
            self.matchKeys = matchKeys
            self.isRefused = isRefused
        }

        var testDescription: String { "\(system), \(matchKeys)" }
    }

    @Test(
        arguments: [
            Row(.iOS(26), .bySystem, isRefused: true),
            Row(.iOS(26), .ignore, isRefused: false),
            Row(.iOS(26), .reject, isRefused: true),
            Row(.macOS(26), .bySystem, isRefused: false),
            Row(.macOS(26), .ignore, isRefused: false),
            Row(.macOS(26), .reject, isRefused: true),
        ],
        [String.limitOne, .limitAll]
    )
    func `is refused or has no effect, but never narrows`(row: Row, limit: String) throws {
        var behavior = BehaviorProfile.documented
        behavior.matchKeysInWrites = row.matchKeys
        let device = try SimulatedDevice(system: row.system, behavior: behavior)
        let some: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecMatchLimit: limit,
        ]
        let change: [CFString: Any] = [kSecAttrLabel: "renamed"]
        let expected = row.isRefused ? errSecParam : errSecSuccess
        device.installExample().run {
            for account in ["one", "two", "three"] { Password(account: account).add() }
            #expect(SecItemUpdate(some as CFDictionary, change as CFDictionary) == expected)
            #expect(count(change) == (row.isRefused ? 0 : 3))
            #expect(SecItemDelete(some as CFDictionary) == expected)
            #expect(count([:]) == (row.isRefused ? 3 : 0))
        }
        #expect(device.findings.map(\.rule).contains("match-key-in-write"))
    }

    private func count(_ more: [CFString: Any]) -> Int {
        var search: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnAttributes: true,
        ]
        search.merge(more) { $1 }
        var result: CFTypeRef?
        SecItemCopyMatching(search as CFDictionary, &result)
        return (result as? [Any])?.count ?? 0
    }
}
