import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `An item's value` {
    let device: SimulatedDevice
    let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
    }

    @Test(
        .requirement(
            "ACC-04",
            "ACC-09",
            "ACC-10",
            "ACC-11",
            "ACC-12",
            "ACC-13",
            "ACC-14",
            "ACC-17",
            "ACC-19",
            "ACC-20",
            "ACC-21"
        ),
        arguments: Accessibility.all
    )
    func `can be read exactly while its accessibility says so`(row: Accessibility) throws {
        let password = row.password
        try app.run {
            #expect(password.add(accessible: row.value) == errSecSuccess)
            #expect(password.read() == .value)
            device.lock()
            #expect(password.read() == row.reading(whenAvailable: [.afterFirstUnlock, .always]))
            try device.unlock(passcode: "0000")
            #expect(password.read() == .value)
            device.reboot()
            #expect(password.read() == row.reading(whenAvailable: [.always]))
            try device.unlock(passcode: "0000")
            device.lock()
            #expect(password.read() == row.reading(whenAvailable: [.afterFirstUnlock, .always]))
        }
    }

    @Test(.requirement("ACC-17", "ACC-26"), arguments: Accessibility.all)
    func `stays out of reach of every function but delete while its class is closed`(
        row: Accessibility
    ) throws {
        let password = row.password
        let closed: OSStatus =
            row.availability == .whileUnlocked ? errSecInteractionNotAllowed : errSecSuccess
        try app.run {
            #expect(password.add(accessible: row.value) == errSecSuccess)
            device.lock()
            #expect(password.read().status == closed)
            #expect(password.find() == closed)
            #expect(password.attributes().status == closed)
            #expect(password.update("another") == closed)
            #expect(password.update([kSecAttrLabel: "Mail"]) == closed)
            #expect(Password(account: "second").add(accessible: row.value) == closed)
            try device.unlock(passcode: "0000")
            #expect(password.read().text == (closed == errSecSuccess ? "another" : "open sesame"))
            let isStored = closed == errSecSuccess
            #expect(
                Password(account: "second").find()
                    == (isStored ? errSecSuccess : errSecItemNotFound)
            )
        }
    }

    @Test(.requirement("ACC-26"), arguments: `Attributes of a locked item`.locking)
    func `is not overwritten by an add while its class is closed`(row: Accessibility) throws {
        try app.run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            device.lock()
            #expect(
                row.password.add("another", accessible: .afterFirstUnlock) == errSecDuplicateItem
            )
            try device.unlock(passcode: "0000")
            #expect(row.password.read() == .value)
        }
    }

    @Test(.requirement("ACC-27"), arguments: Accessibility.all, [false, true])
    func `can be deleted in every lock state`(row: Accessibility, reboots: Bool) throws {
        let password = row.password
        try app.run {
            #expect(password.add(accessible: row.value) == errSecSuccess)
            if reboots { device.reboot() } else { device.lock() }
            #expect(password.delete() == errSecSuccess)
            #expect(password.read() == .notFound)
            try device.unlock(passcode: "0000")
            #expect(password.read() == .notFound)
            #expect(password.delete() == errSecItemNotFound)
        }
    }

    @Test(.requirement("ACC-26", "ERR-09"))
    func `makes a search for several fail as a whole when one is closed`() throws {
        let search: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail",
            kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
        ]
        app.run {
            Password(account: "open").add(accessible: .afterFirstUnlock)
            Password(account: "closed").add(accessible: .whenUnlocked)
            device.lock()
            var result: CFTypeRef?
            let status = SecItemCopyMatching(search as CFDictionary, &result)
            #expect(status == errSecInteractionNotAllowed)
            #expect(result == nil)
        }
    }
}

@Suite struct `Without an accessibility` {
    @Test(
        .requirement("ACC-02"),
        .contradiction("explicit-accessibility"),
        arguments: [String.genericPassword, .internetPassword, .key]
    )
    func `an item is readable only while unlocked`(itemClass: String) throws {
        let device = try SimulatedDevice()
        let item: [CFString: Any] = [
            kSecClass: itemClass, kSecAttrLabel: "an item",
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
        ]
        let query = item.filter { $0.key != kSecAttrKeyType || itemClass == .key }
        device.installExample().run {
            var added = query
            added[kSecValueData] = Data("open sesame".utf8)
            #expect(SecItemAdd(added as CFDictionary, nil) == errSecSuccess)
            var result: CFTypeRef?
            var search = query
            search[kSecReturnAttributes] = true
            #expect(SecItemCopyMatching(search as CFDictionary, &result) == errSecSuccess)
            let found = result as? [String: Any]
            #expect(
                found?[kSecAttrAccessible as String] as? String
                    == kSecAttrAccessibleWhenUnlocked as String
            )
            device.lock()
            let status = SecItemCopyMatching(search as CFDictionary, nil)
            #expect(status == errSecInteractionNotAllowed)
        }
    }

    @Test(.requirement("ACC-02"), .contradiction("explicit-accessibility"))
    func `an item comes with a finding that says so`() throws {
        let device = try SimulatedDevice()
        device.installExample().run { _ = Password().add() }
        #expect(device.findings.map(\.rule) == ["missing-accessible"])
        #expect(device.findings.first?.sentence.contains("-25308") == true)
    }
}

@Suite struct `A device without a passcode` {
    @Test(.requirement("ACC-23"), arguments: Accessibility.usual + Accessibility.deprecated)
    func `is always unlocked`(row: Accessibility) throws {
        let device = try SimulatedDevice(passcode: nil)
        let password = row.password
        device.installExample().run {
            #expect(password.add(accessible: row.value) == errSecSuccess)
            device.lock()
            #expect(device.state == .unlocked)
            #expect(password.read() == .value)
            device.reboot()
            #expect(device.state == .unlocked)
            #expect(device.isProtectedDataAvailable)
            #expect(password.read() == .value)
        }
    }

    @Test(.requirement("ACC-05")) func `stores nothing that needs one`() throws {
        let device = try SimulatedDevice(passcode: nil)
        let password = Accessibility.whenPasscodeSet.password
        try device.installExample().run {
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecAuthFailed)
            #expect(password.read() == .notFound)
            try device.setPasscode("1234", current: nil)
            #expect(password.read() == .notFound)
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            #expect(password.read() == .value)
        }
    }
}
