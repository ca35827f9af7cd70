import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `The deprecated Always classes` {
    @Test(.requirement("ACC-13", "ACC-15"), arguments: Accessibility.deprecated)
    func `are readable at all times, with a finding`(row: Accessibility) throws {
        let device = try SimulatedDevice()
        device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            device.reboot()
            #expect(row.password.read() == .value)
        }
        #expect(device.findings.map(\.rule).contains("deprecated-always"))
    }

    @Test(.requirement("ACC-15"), arguments: Accessibility.deprecated)
    func `can mean AfterFirstUnlock`(row: Accessibility) throws {
        var behavior = BehaviorProfile.documented
        behavior.deprecatedAlways = .remapToAfterFirstUnlock
        let device = try SimulatedDevice(behavior: behavior)
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            let found = row.password.attributes().found[kSecAttrAccessible as String] as? String
            #expect(
                found
                    == (row.isThisDeviceOnly
                        ? String.afterFirstUnlockThisDeviceOnly : String.afterFirstUnlock)
            )
            device.lock()
            #expect(row.password.read() == .value)
            device.reboot()
            #expect(row.password.read() == .notAllowed)
            try device.unlock(passcode: "0000")
            #expect(row.password.read() == .value)
        }
    }

    @Test(.requirement("ACC-15"), arguments: Accessibility.deprecated)
    func `can be refused, in an add and in an update`(row: Accessibility) throws {
        var behavior = BehaviorProfile.documented
        behavior.deprecatedAlways = .reject
        let device = try SimulatedDevice(behavior: behavior)
        device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecParam)
            #expect(row.password.find() == errSecItemNotFound)
            #expect(row.password.add(accessible: .afterFirstUnlock) == errSecSuccess)
            #expect(row.password.update([kSecAttrAccessible: row.value]) == errSecParam)
        }
    }
}

@Suite struct `Attributes of a locked item` {
    static let locking = Accessibility.all.filter { $0.availability == .whileUnlocked }

    private func device(keepsMetadata: Bool) throws -> SimulatedDevice {
        var behavior = BehaviorProfile.documented
        behavior.metadataReadableWhenLocked = keepsMetadata
        return try SimulatedDevice(behavior: behavior)
    }

    @Test(.requirement("ACC-28"), arguments: locking)
    func `are as closed as its value`(row: Accessibility) throws {
        let device = try device(keepsMetadata: false)
        device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            #expect(row.password.attributes().status == errSecSuccess)
            device.lock()
            #expect(row.password.attributes().status == errSecInteractionNotAllowed)
            #expect(row.password.find() == errSecInteractionNotAllowed)
            #expect(row.password.read() == .notAllowed)
        }
    }

    @Test(.requirement("ACC-28"), arguments: locking)
    func `can be kept readable until the device restarts`(row: Accessibility) throws {
        let device = try device(keepsMetadata: true)
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            device.lock()
            #expect(row.password.attributes().status == errSecSuccess)
            #expect(row.password.find() == errSecSuccess)
            #expect(row.password.read() == .notAllowed)
            #expect(row.password.update("another") == errSecInteractionNotAllowed)
            device.reboot()
            #expect(row.password.attributes().status == errSecInteractionNotAllowed)
            try device.unlock(passcode: "0000")
            device.lock()
            #expect(row.password.attributes().status == errSecSuccess)
        }
    }

    @Test(.requirement("ACC-26", "ACC-28"), arguments: locking)
    func `lead nobody to replace its value, also into a class that is open`(
        row: Accessibility
    ) throws {
        let device = try device(keepsMetadata: true)
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            device.lock()
            let changes: [CFString: Any] = [
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                kSecValueData: Data("another".utf8),
            ]
            #expect(row.password.update(changes) == errSecInteractionNotAllowed)
            try device.unlock(passcode: "0000")
            #expect(row.password.read() == .value)
        }
    }

    @Test(.requirement("ACC-26", "ACC-28"))
    func `have nobody asked for a value that stays closed`() throws {
        var behavior = BehaviorProfile.documented
        behavior.metadataReadableWhenLocked = true
        let gated = try GatedApp(behavior: behavior)
        #expect(gated.add(.userPresence) == errSecSuccess)
        gated.device.lock()
        gated.device.removePrompts()
        #expect(gated.read() == errSecInteractionNotAllowed)
        #expect(gated.takePrompts().isEmpty)
    }

    @Test(.requirement("ACC-06", "ACC-28"))
    func `are gone with the passcode, although they were kept readable`() throws {
        let device = try device(keepsMetadata: true)
        let password = Accessibility.whenPasscodeSet.password
        try device.installExample().run {
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            try device.removePasscode(current: "0000")
            #expect(password.attributes().status == errSecItemNotFound)
            try device.setPasscode("0000", current: nil)
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            device.reboot()
            try device.unlock(passcode: "0000")
            #expect(password.read() == .value)
        }
    }
}

@Suite struct `Reading before the first unlock` {
    @Test(.requirement("ACC-19", "SIM-02"), arguments: Accessibility.all)
    func `can say "not found" where the profile asks for it`(row: Accessibility) throws {
        var behavior = BehaviorProfile.documented
        behavior.beforeFirstUnlock = .itemNotFound
        let device = try SimulatedDevice(behavior: behavior)
        let isOpen = row.availability == .always
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            device.reboot()
            #expect(row.password.read() == (isOpen ? .value : .notFound))
            #expect(
                row.password.add(accessible: row.value)
                    == (isOpen ? errSecDuplicateItem : errSecInteractionNotAllowed)
            )
            try device.unlock(passcode: "0000")
            #expect(row.password.read() == .value)
            device.lock()
            #expect(
                row.password.read() == row.reading(whenAvailable: [.afterFirstUnlock, .always])
            )
        }
    }
}

@Suite struct `A passcode class before iOS 8` {
    @Test func `is unknown`() throws {
        let password = Accessibility.whenPasscodeSet.password
        let old = try SimulatedDevice(system: .iOS(7))
        old.installExample().run {
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecParam)
            #expect(password.add(accessible: .whenUnlockedThisDeviceOnly) == errSecSuccess)
        }
        let new = try SimulatedDevice(system: .iOS(8))
        #expect(
            new.installExample().run { password.add(accessible: .whenPasscodeSetThisDeviceOnly) }
                == errSecSuccess
        )
    }
}
