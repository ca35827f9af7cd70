import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The accessibility attribute` {
    let device: SimulatedDevice
    let app: SimulatedApp
    let password = Password()

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
    }

    @Test(.requirement("ACC-24"), arguments: Accessibility.all)
    func `is set by an add and returned as it was given`(row: Accessibility) {
        app.run {
            #expect(password.add(accessible: row.value) == errSecSuccess)
            let found = password.attributes().found
            #expect(found[kSecAttrAccessible as String] as? String == row.value)
        }
    }

    @Test(.requirement("ACC-24"), arguments: Accessibility.all)
    func `filters in a search, and changes nothing`(row: Accessibility) {
        app.run {
            #expect(password.add(accessible: .afterFirstUnlock) == errSecSuccess)
            let expected: Reading = row.value == .afterFirstUnlock ? .value : .notFound
            #expect(password.read([kSecAttrAccessible: row.value]) == expected)
            #expect(
                password.update([kSecAttrLabel: "Mail"], where: [kSecAttrAccessible: row.value])
                    == expected.status
            )
            let found = password.attributes().found
            #expect(found[kSecAttrAccessible as String] as? String == .afterFirstUnlock)
            #expect(password.delete([kSecAttrAccessible: row.value]) == expected.status)
            #expect(password.read() == (expected == .value ? .notFound : .value))
        }
    }

    @Test(.requirement("ACC-24"))
    func `is no part of the primary key, so the same item is a duplicate`() {
        app.run {
            #expect(password.add(accessible: .afterFirstUnlock) == errSecSuccess)
            #expect(
                password.read([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == .notFound
            )
            #expect(password.add(accessible: .whenUnlocked) == errSecDuplicateItem)
        }
        #expect(device.findings.map(\.rule).contains("duplicate-after-miss"))
        #expect(device.findings.map(\.rule).contains("accessible-in-search"))
    }

    @Test(
        .requirement("ACC-25"),
        .contradiction("accessibility-update"),
        arguments: Accessibility.all,
        Accessibility.all
    )
    func `can be changed by an update`(old: Accessibility, new: Accessibility) throws {
        try app.run {
            #expect(password.add(accessible: old.value) == errSecSuccess)
            let before = password.attributes([kSecReturnPersistentRef: true]).found
            #expect(password.update([kSecAttrAccessible: new.value]) == errSecSuccess)
            let after = password.attributes([kSecReturnPersistentRef: true]).found
            #expect(after[kSecAttrAccessible as String] as? String == new.value)
            let kept = [kSecAttrCreationDate as String, kSecValuePersistentRef as String]
            let values = try kept.map { try #require(before[$0] as? NSObject) }
            #expect(kept.map { after[$0] as? NSObject } == values)
            #expect(password.read() == .value)
            device.lock()
            #expect(password.read() == new.reading(whenAvailable: [.afterFirstUnlock, .always]))
            device.reboot()
            #expect(password.read() == new.reading(whenAvailable: [.always]))
            try device.unlock(passcode: "0000")
            #expect(password.read() == .value)
        }
    }

    @Test(.requirement("ACC-25", "ACC-26"))
    func `stays while either class is closed`() throws {
        let open = Password(account: "open")
        try app.run {
            password.add(accessible: .whenUnlocked)
            open.add(accessible: .afterFirstUnlock)
            device.lock()
            #expect(
                password.update([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
                    == errSecInteractionNotAllowed
            )
            #expect(
                open.update([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
                    == errSecInteractionNotAllowed
            )
            #expect(open.read() == .value)
            try device.unlock(passcode: "0000")
            #expect(password.attributes().found[.accessible] as? String == .whenUnlocked)
            #expect(open.attributes().found[.accessible] as? String == .afterFirstUnlock)
        }
    }

    @Test(.requirement("ACC-05"))
    func `cannot become one that needs a passcode where there is none`() throws {
        let device = try SimulatedDevice(passcode: nil)
        device.installExample().run {
            #expect(password.add(accessible: .whenUnlocked) == errSecSuccess)
            #expect(
                password.update([
                    kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
                ]) == errSecAuthFailed
            )
            #expect(password.read() == .value)
        }
    }

    @Test(
        .requirement("ACC-07"),
        arguments: ["akp", "akps", "", "AK", "WhenUnlocked", "ak\0", String.genericPassword]
    )
    func `takes nothing beside its seven values`(value: String) {
        app.run {
            #expect(password.add(accessible: value) == errSecParam)
            #expect(password.find() == errSecItemNotFound)
            #expect(password.add(accessible: .whenUnlocked) == errSecSuccess)
            #expect(password.find([kSecAttrAccessible: value]) == errSecParam)
            #expect(password.update([kSecAttrAccessible: value]) == errSecParam)
        }
    }
}
