import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// A moment so many minutes after midnight, and so many seconds that the machine slept.
private func moment(_ minute: Int, slept: Int = 0) -> DeviceInstant {
    instant(minute * 60, suspended: .seconds(slept), wallClock: Int64(minute * 60))
}

@Suite(.requirement("HRD-13")) struct `A device that locked` {
    private let shared = SharedDevice()

    private func device(_ settings: LockSettings) throws -> Device {
        var device = try shared.process(at: moment(0))
        _ = try device.unlock(passcode: passcode("1234").secret, at: moment(0))
        _ = try device.setLockSettings(settings, at: moment(0))
        return device
    }

    @Test(
        arguments: [
            (LockSettings(idleSeconds: 60), moment(2), LockCause.idle),
            (LockSettings(minuteOfDay: 3), moment(3), .timeOfDay),
            (LockSettings(onSleep: true), moment(1, slept: 9), .sleep),
        ]
    )
    func `says which setting did it, by a call and by a timer`(
        settings: LockSettings,
        now: DeviceInstant,
        cause: LockCause
    ) throws {
        var first = try device(settings)
        _ = try first.follow(at: now)
        #expect(first.takeLockCauses() == [cause])
        var second = try device(settings)
        _ = try second.lockIfDue(at: now)
        #expect(second.takeLockCauses() == [cause])
        #expect(second.takeLockCauses() == [])
    }

    @Test func `says that somebody asked, or another process did it`() throws {
        var first = try device(LockSettings())
        var second = try shared.process(at: moment(1))
        _ = try second.follow(at: moment(1))
        _ = second.takeLockCauses()
        _ = try first.lock(at: moment(1))
        #expect(first.takeLockCauses() == [.requested])
        _ = try second.follow(at: moment(1))
        #expect(second.takeLockCauses() == [.elsewhere])
        _ = try first.lock(at: moment(1))
        #expect(first.takeLockCauses() == [])
    }

    @Test func `says so where its files cannot be read`() throws {
        _ = try device(LockSettings(idleSeconds: 60))
        let failing = FailingStorage(shared.storage, allowingWrites: 0, isReadable: true)
        var second = try openDevice(failing, sessions: shared.sessions, at: moment(0))
        _ = try second.follow(at: moment(0))
        _ = try? second.lockIfDue(at: moment(2))
        #expect(second.takeLockCauses() == [.idle])
    }
}
