import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `Wrong passcodes` {
    @Test(
        .requirement("SIM-09"),
        arguments: [
            (1, 0), (4, 0), (5, 1), (6, 5), (7, 15), (8, 15), (9, 60), (10, 60), (1000, 60),
        ] as [(UInt32, Int)]
    )
    func `make the next attempt wait by the table`(failures: UInt32, minutes: Int) {
        #expect(PasscodePolicy.delay(afterFailures: failures) == .seconds(60 * minutes))
    }

    @Test(.requirement("SIM-09")) func `leave the device locked and escalate`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage, creatingWith: passcode("right"))
        for attempt in 1...4 {
            #expect(throws: DeviceError.wrongPasscode(attemptsMade: attempt, delay: .zero)) {
                try device.unlock(passcode: passcode("wrong").secret, at: instant(attempt))
            }
        }
        #expect(throws: DeviceError.wrongPasscode(attemptsMade: 5, delay: .seconds(60))) {
            try device.unlock(passcode: passcode("wrong").secret, at: instant(10))
        }
        #expect(throws: DeviceError.delayed(remaining: .seconds(1))) {
            try device.unlock(passcode: passcode("right").secret, at: instant(69))
        }
        #expect(try device.attemptStatus(at: instant(69)).failures == 5)
        #expect(device.state.lockState == .beforeFirstUnlock)
        _ = try device.unlock(passcode: passcode("right").secret, at: instant(70))
        #expect(device.state.lockState == .unlocked)
        #expect(
            try device.attemptStatus(at: instant(70))
                == AttemptStatus(failures: 0, delayRemaining: .zero)
        )
    }

    @Test(.requirement("SIM-09")) func `are remembered by the next process`() throws {
        let storage = MemoryStorage()
        try failAttempts(5, on: storage, at: instant(0))
        let next = try openDevice(storage, at: instant(20))
        #expect(
            try next.attemptStatus(at: instant(20))
                == AttemptStatus(failures: 5, delayRemaining: .seconds(40))
        )
    }

    @Test(.requirement("SIM-09")) func `start their delay over when the device restarts`() throws {
        let storage = MemoryStorage()
        try failAttempts(5, on: storage, at: instant(0))
        var device = try openDevice(storage, at: instant(3, boot: 2))
        #expect(throws: DeviceError.delayed(remaining: .seconds(1))) {
            try device.unlock(passcode: passcode("right").secret, at: instant(62, boot: 2))
        }
        _ = try device.unlock(passcode: passcode("right").secret, at: instant(63, boot: 2))
        #expect(device.state.lockState == .unlocked)
    }

    @Test func `start their delay over in a running process too`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage, creatingWith: passcode("right"))
        try failAttempts(5, on: storage, at: instant(0))
        _ = try device.reboot(at: instant(1, boot: 2))
        #expect(try device.attemptStatus(at: instant(31, boot: 2)).delayRemaining == .seconds(30))
    }

    @Test(.requirement("SIM-09"), arguments: ["right", "wrong"])
    func `are counted before they are tried, so that killing wins no guess`(text: String) throws {
        let storage = MemoryStorage()
        _ = try openDevice(storage, creatingWith: passcode("right"))
        let killed = FailingStorage(storage, allowingWrites: 1)
        var device = try openDevice(killed)
        #expect(throws: DeviceError.self) {
            try device.unlock(passcode: passcode(text).secret, at: instant(1))
        }
        #expect(device.state.lockState == .beforeFirstUnlock)
        #expect(openClasses(device) == beforeFirstUnlock)
        #expect(try openDevice(storage).attemptStatus(at: instant(2)).failures == 1)
    }

    @Test(.requirement("SIM-09")) func `are not tried when they cannot be counted`() throws {
        let storage = MemoryStorage()
        _ = try openDevice(storage, creatingWith: passcode("right"))
        var device = try openDevice(FailingStorage(storage, allowingWrites: 0, isReadable: true))
        #expect(throws: DeviceError.self) {
            try device.unlock(passcode: passcode("right").secret, at: instant(1))
        }
        #expect(openClasses(device) == beforeFirstUnlock)
        #expect(try device.attemptStatus(at: instant(2)).failures == 0)
    }

    @Test func `stop being counted at the largest number`() {
        let attempts = PasscodeAttempts(failures: .max, delayStartedAt: nil)
        #expect(
            attempts.countingAttempt(at: instant(0))
                == PasscodeAttempts(failures: .max, delayStartedAt: instant(0))
        )
    }

    @Test func `count when they are given to verify, remove or change`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage, creatingWith: passcode("right"))
        let wrong = passcode("wrong")
        #expect(throws: DeviceError.wrongPasscode(attemptsMade: 1, delay: .zero)) {
            try device.verify(passcode: wrong.secret, at: instant(1))
        }
        #expect(throws: DeviceError.wrongPasscode(attemptsMade: 2, delay: .zero)) {
            try device.removePasscode(current: wrong.secret, at: instant(2))
        }
        #expect(throws: DeviceError.wrongPasscode(attemptsMade: 3, delay: .zero)) {
            try device.setPasscode(passcode("new").secret, current: wrong, at: instant(3))
        }
        _ = try device.verify(passcode: passcode("right").secret, at: instant(4))
        #expect(device.state.lockState == .beforeFirstUnlock)
        #expect(try device.attemptStatus(at: instant(4)).failures == 0)
    }

    /// The count was left by an attempt at a passcode that is gone.
    @Test(.requirement("SIM-09")) func `at an earlier passcode do not count for the next`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage)
        let left = PasscodeAttempts(failures: 4, delayStartedAt: nil)
        try device.element.recordAttempts(left)
        _ = try device.setPasscode(passcode("new").secret, current: nil, at: instant(1))
        #expect(try device.attemptStatus(at: instant(1)).failures == 0)
    }

    @Test(.requirement("SIM-09"))
    func `are made anew, and counted anew, at a passcode that was set meanwhile`() throws {
        let storage = MemoryStorage()
        var late = try openDevice(storage, creatingWith: passcode("old"))
        let attempt = try #require(try late.beginUnlock(at: instant(1)))
        let stretched = try attempt.stretch(passcode("old").secret)
        var other = try openDevice(storage, seed: 2)
        _ = try other.setPasscode(passcode("new").secret, current: passcode("old"), at: instant(2))
        #expect(try late.attemptStatus(at: instant(2)).failures == 0)
        let another = try #require(try late.finishUnlock(with: stretched, at: instant(3)))
        #expect(try late.attemptStatus(at: instant(3)).failures == 1)
        let again = try another.stretch(passcode("old").secret)
        #expect(throws: DeviceError.wrongPasscode(attemptsMade: 1, delay: .zero)) {
            _ = try late.finishUnlock(with: again, at: instant(4))
        }
        #expect(try late.attemptStatus(at: instant(4)).failures == 1)
    }

    private func failAttempts(
        _ count: Int,
        on storage: any DeviceStorage,
        at now: DeviceInstant
    ) throws {
        var device = try openDevice(storage, creatingWith: passcode("right"), at: now)
        for _ in 0..<count {
            #expect(throws: DeviceError.self) {
                try device.unlock(passcode: passcode("wrong").secret, at: now)
            }
        }
    }
}
