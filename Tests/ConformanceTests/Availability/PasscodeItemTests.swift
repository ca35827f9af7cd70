import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Removing the passcode` {
    @Test(.requirement("ACC-06", "SIM-04"))
    func `destroys the items that need one, for good`() throws {
        let device = try SimulatedDevice()
        let password = Accessibility.whenPasscodeSet.password
        try device.installExample().run {
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            try device.removePasscode(current: "0000")
            #expect(password.read() == .notFound)
            try device.setPasscode("0000", current: nil)
            #expect(password.read() == .notFound)
            device.reboot()
            try device.unlock(passcode: "0000")
            #expect(password.read() == .notFound)
            #expect(
                password.add("new", accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess
            )
            #expect(password.read() == Reading(errSecSuccess, "new"))
        }
    }

    @Test(.requirement("SIM-10"), arguments: Accessibility.usual + Accessibility.deprecated)
    func `leaves every other item`(row: Accessibility) throws {
        let device = try SimulatedDevice()
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            try device.removePasscode(current: "0000")
            #expect(row.password.read() == .value)
            device.reboot()
            #expect(row.password.read() == .value)
        }
    }

    @Test(.requirement("ACC-06")) func `happens while locked, and in one step`() throws {
        let device = try SimulatedDevice()
        let password = Accessibility.whenPasscodeSet.password
        try device.installExample().run {
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            device.lock()
            try device.removePasscode(current: "0000")
            #expect(device.state == .unlocked)
            #expect(password.read() == .notFound)
        }
    }

    @Test(.requirement("ACC-06"), arguments: ["", "1111"])
    func `needs the current one and otherwise destroys nothing`(wrong: String) throws {
        let device = try SimulatedDevice()
        let password = Accessibility.whenPasscodeSet.password
        device.installExample().run {
            #expect(password.add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
            let error = #expect(throws: SimulatorError.self) {
                try device.removePasscode(current: wrong)
            }
            #expect(error?.status == errSecAuthFailed)
            #expect(password.read() == .value)
        }
    }
}

@Suite struct `Changing the passcode` {
    @Test(.requirement("SIM-10"), arguments: Accessibility.all)
    func `keeps every item`(row: Accessibility) throws {
        let device = try SimulatedDevice()
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            try device.setPasscode("a longer one", current: "0000")
            #expect(row.password.read() == .value)
            device.reboot()
            #expect(throws: SimulatorError.self) { try device.unlock(passcode: "0000") }
            #expect(device.state == .beforeFirstUnlock)
            try device.unlock(passcode: "a longer one")
            #expect(row.password.read() == .value)
        }
    }

    @Test(.requirement("SIM-10"), arguments: Accessibility.usual + Accessibility.deprecated)
    func `or setting the first one keeps every item`(row: Accessibility) throws {
        let device = try SimulatedDevice(passcode: nil)
        try device.installExample().run {
            #expect(row.password.add(accessible: row.value) == errSecSuccess)
            try device.setPasscode("0000", current: nil)
            #expect(row.password.read() == .value)
            device.reboot()
            #expect(row.password.read() == row.reading(whenAvailable: [.always]))
            try device.unlock(passcode: "0000")
            #expect(row.password.read() == .value)
        }
    }

    @Test(.requirement("SIM-10"), arguments: [nil, "", "9999"] as [String?])
    func `needs the current one`(wrong: String?) throws {
        let device = try SimulatedDevice()
        let error = #expect(throws: SimulatorError.self) {
            try device.setPasscode("1234", current: wrong)
        }
        #expect(error?.status == errSecAuthFailed)
        device.lock()
        try device.unlock(passcode: "0000")
        #expect(device.state == .unlocked)
    }

    @Test func `to nothing at all is refused`() throws {
        let device = try SimulatedDevice()
        let error = #expect(throws: SimulatorError.self) {
            try device.setPasscode("", current: "0000")
        }
        #expect(error?.status == errSecParam)
        device.lock()
        #expect(device.state == .locked)
    }
}
