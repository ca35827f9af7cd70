import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Wrong passcodes at a device` {
    let device: SimulatedDevice

    init() throws { device = try SimulatedDevice() }

    /// Tries a passcode and tells the status.
    private func attempt(_ passcode: String, on device: SimulatedDevice? = nil) -> Int32 {
        do {
            try (device ?? self.device).unlock(passcode: passcode)
            return errSecSuccess
        } catch {
            return (error as? SimulatorError)?.status ?? errSecInternalError
        }
    }

    private func fail(_ count: Int, on device: SimulatedDevice? = nil) {
        for _ in 0..<count { #expect(attempt("wrong", on: device) == errSecAuthFailed) }
    }

    @Test(.requirement("SIM-09", "SIM-15"))
    func `demand longer and longer delays`() {
        device.lock()
        fail(4)
        var wrong = 4
        let steps: [(failure: Int, minutes: Int)] = [
            (5, 1), (6, 5), (7, 15), (8, 15), (9, 60), (10, 60), (11, 60),
        ]
        for step in steps {
            fail(step.failure - wrong)
            wrong = step.failure
            device.advance(by: .seconds(step.minutes * 60 - 1))
            #expect(attempt("0000") == errSecAuthFailed)
            #expect(device.state == .locked)
            device.advance(by: .seconds(1))
        }
        #expect(attempt("0000") == errSecSuccess)
        #expect(device.state == .unlocked)
    }

    @Test(.requirement("SIM-09"))
    func `have nobody asked for a passcode that would not be tried`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.devicePasscode) == errSecSuccess)
        for _ in 0..<5 {
            #expect(throws: SimulatorError.self) { try gated.device.unlock(passcode: "wrong") }
        }
        gated.device.removePrompts()
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts().isEmpty)
    }

    @Test(.requirement("SIM-09")) func `are forgotten after a right one`() {
        device.lock()
        fail(4)
        #expect(attempt("0000") == errSecSuccess)
        device.lock()
        fail(4)
        #expect(attempt("0000") == errSecSuccess)
    }

    @Test(.requirement("SIM-09")) func `do not count while a delay runs`() {
        device.lock()
        fail(5)
        fail(20)
        device.advance(by: .seconds(60))
        #expect(attempt("0000") == errSecSuccess)
    }

    @Test(.requirement("SIM-09")) func `start their delay over when the device restarts`() {
        device.lock()
        fail(5)
        device.advance(by: .seconds(50))
        device.reboot()
        device.advance(by: .seconds(59))
        #expect(attempt("0000") == errSecAuthFailed)
        #expect(device.state == .beforeFirstUnlock)
        device.advance(by: .seconds(1))
        #expect(attempt("0000") == errSecSuccess)
    }

    @Test(.requirement("SIM-09")) func `are counted together, whatever they were for`() throws {
        device.lock()
        fail(3)
        #expect(throws: SimulatorError.self) { try device.removePasscode(current: "wrong") }
        let last = #expect(throws: SimulatorError.self) {
            try device.setPasscode("1234", current: "wrong")
        }
        #expect(last?.reason.contains("60 s") == true)
        #expect(attempt("0000") == errSecAuthFailed)
        device.advance(by: .seconds(60))
        #expect(attempt("0000") == errSecSuccess)
    }

    @Test(.requirement("SIM-09")) func `cost no item`() {
        let app = device.installExample()
        app.run { _ = Password().add(accessible: .whenPasscodeSetThisDeviceOnly) }
        device.lock()
        for _ in 0..<15 {
            fail(1)
            device.advance(by: .seconds(3600))
        }
        #expect(attempt("0000") == errSecSuccess)
        #expect(app.run { Password().read() } == .value)
    }
}

@Suite struct `A device in a directory` {
    /// A directory of its own, gone with the test.
    private final class Directory: Sendable {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("device-" + UUID().uuidString)
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private let directory = Directory()

    private func open(passcode: String? = "0000") throws -> SimulatedDevice {
        try SimulatedDevice(passcode: passcode, directory: directory.url)
    }

    @Test(arguments: Accessibility.all)
    func `has its items when it is opened again`(row: Accessibility) throws {
        let first = try open().installExample()
        #expect(first.run { row.password.add(accessible: row.value) } == errSecSuccess)
        let second = try open()
        #expect(second.state == .unlocked)
        #expect(second.installExample().run { row.password.read() } == .value)
    }

    @Test(.requirement("SIM-09"))
    func `is not opened with a wrong passcode, which is counted`() throws {
        _ = try open()
        for _ in 0..<5 {
            let error = #expect(throws: SimulatorError.self) { try open(passcode: "wrong") }
            #expect(error?.status == errSecAuthFailed)
        }
        let device = try open()
        #expect(device.state == .beforeFirstUnlock)
        device.advance(by: .seconds(59))
        #expect(throws: SimulatorError.self) { try device.unlock(passcode: "0000") }
        device.advance(by: .seconds(1))
        try device.unlock(passcode: "0000")
        #expect(try open().state == .unlocked)
    }

    @Test(.requirement("SIM-09"))
    func `starts a delay over when it is opened again`() throws {
        let first = try open()
        first.advance(by: .seconds(7200))
        first.lock()
        for _ in 0..<5 { #expect(throws: SimulatorError.self) { try first.unlock(passcode: "") } }
        first.advance(by: .seconds(59))
        let second = try open()
        #expect(second.state == .beforeFirstUnlock)
        second.advance(by: .seconds(59))
        #expect(throws: SimulatorError.self) { try second.unlock(passcode: "0000") }
        second.advance(by: .seconds(1))
        try second.unlock(passcode: "0000")
    }

    @Test func `follows a factory reset that another process makes`() throws {
        let first = try open()
        let app = first.installExample()
        #expect(app.run { Password().add("old", accessible: .always) } == errSecSuccess)
        try open().erase()
        #expect(app.run { Password().read() } == .notFound)
        #expect(app.run { Password().add("new", accessible: .always) } == errSecSuccess)
        let third = try open(passcode: nil)
        #expect(
            third.installExample().run { Password().read() } == Reading(errSecSuccess, "new")
        )
    }
}
