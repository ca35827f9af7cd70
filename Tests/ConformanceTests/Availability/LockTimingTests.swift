import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Locking` {
    let device: SimulatedDevice
    let app: SimulatedApp
    let password = Password()

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
        app.run { _ = password.add(accessible: .whenUnlocked) }
    }

    @Test(.requirement("ACC-22", "SIM-03"), .contradiction("lock-timing"))
    func `closes the item at once`() {
        device.lock()
        #expect(device.state == .locked)
        #expect(app.run { password.read() } == .notAllowed)
    }

    @Test(.requirement("ACC-22", "SIM-15"), .contradiction("lock-timing"))
    func `with a grace period closes the item when that is over`() {
        device.lock(grace: .seconds(10))
        #expect(device.state == .locked)
        device.advance(by: .seconds(9))
        #expect(app.run { password.read() } == .value)
        device.advance(by: .seconds(2))
        #expect(app.run { password.read() } == .notAllowed)
    }

    @Test(.requirement("ACC-22", "SIM-15"))
    func `with a grace period is undone by unlocking in time`() throws {
        device.lock(grace: .seconds(10))
        device.advance(by: .seconds(9))
        try device.unlock(passcode: "0000")
        device.advance(by: .seconds(3600))
        #expect(app.run { password.read() } == .value)
    }

    @Test(.requirement("ACC-22", "SIM-15"))
    func `again never makes a grace period longer`() {
        device.lock(grace: .seconds(10))
        device.advance(by: .seconds(6))
        device.lock(grace: .seconds(10))
        device.advance(by: .seconds(5))
        #expect(app.run { password.read() } == .notAllowed)
    }

    @Test(.requirement("ERR-10"))
    func `is the only thing between a read and its value`() throws {
        device.lock()
        #expect(app.run { password.read() } == .notAllowed)
        try device.unlock(passcode: "0000")
        #expect(app.run { password.read() } == .value)
    }

    @Test(.requirement("SIM-09"), arguments: ["", "000", "00000", "owner", "0001"])
    func `is not undone by a wrong passcode`(wrong: String) throws {
        device.lock()
        let error = #expect(throws: SimulatorError.self) { try device.unlock(passcode: wrong) }
        #expect(error?.status == errSecAuthFailed)
        #expect(error?.reason.contains(wrong) != true || wrong.isEmpty)
        #expect(device.state == .locked)
        #expect(app.run { password.read() } == .notAllowed)
    }
}
