import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `A simulated device in a test` {
    private let device: SimulatedDevice
    private let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice(biometry: .touchID)
        app = device.installExample()
    }

    @Test(.requirement("SIM-08"))
    func `is started, unlocked and locked in every way`() throws {
        #expect(device.state == .unlocked)
        device.lock()
        #expect(device.state == .locked)
        try device.unlockWithBiometry()
        #expect(device.state == .unlocked)
        device.reboot()
        #expect(device.state == .beforeFirstUnlock)
        #expect(throws: SimulatorError.self) { try device.unlockWithBiometry() }
        #expect(throws: SimulatorError.self) { try device.unlock(passcode: "9999") }
        try device.unlock(passcode: "0000")
        device.lock(grace: .seconds(10))
        device.advance(by: .seconds(9))
        #expect(device.isProtectedDataAvailable)
        device.advance(by: .seconds(2))
        #expect(!device.isProtectedDataAvailable)
    }

    @Test(.requirement("SIM-08"))
    func `gets, changes and loses its passcode, and is erased`() throws {
        let item = Password(account: .whenPasscodeSetThisDeviceOnly)
        #expect(app.run { item.add(accessible: .whenPasscodeSetThisDeviceOnly) } == errSecSuccess)
        try device.setPasscode("1111", current: "0000")
        #expect(throws: SimulatorError.self) { try device.removePasscode(current: "0000") }
        #expect(app.run { item.read() } == .value)
        try device.removePasscode(current: "1111")
        #expect(app.run { item.read() } == .notFound)
        device.lock()
        #expect(device.state == .unlocked)
        try device.setPasscode("2222", current: nil)
        #expect(app.run { item.add(accessible: .whenPasscodeSetThisDeviceOnly) } == errSecSuccess)
        device.erase()
        #expect(device.installExample().run { item.read() } == .notFound)
    }

    @Test(.requirement("SIM-08"))
    func `enrolls, removes and enrolls anew`() throws {
        device.user.biometric = "second"
        device.lock()
        #expect(throws: SimulatorError.self) { try device.unlockWithBiometry() }
        try device.enroll("second")
        try device.unlock(passcode: "0000")
        device.lock()
        try device.unlockWithBiometry()
        try device.removeEnrollment("second")
        device.lock()
        #expect(throws: SimulatorError.self) { try device.unlockWithBiometry() }
    }
}
