import Cryptography
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// A moment of a day: so many minutes after midnight, the wall clock in step with the uptime.
private func minute(_ minute: Int, wall: Int? = nil) -> DeviceInstant {
    instant(minute * 60, wallClock: Int64((wall ?? minute) * 60))
}

extension SharedDevice {
    /// A process that unlocked and set when the device locks, at that moment.
    fileprivate func process(
        locking settings: LockSettings,
        since now: DeviceInstant
    ) throws -> Device {
        var device = try process(at: now)
        _ = try device.unlock(passcode: passcode("1234").secret, at: now)
        _ = try device.setLockSettings(settings, at: now)
        return device
    }
}

extension Device {
    /// The lock state that a call at that moment meets.
    fileprivate mutating func served(at now: DeviceInstant) throws -> LockState {
        _ = try follow(at: now)
        return state.lockState
    }
}

@Suite struct `An idle limit` {
    private let shared = SharedDevice()
    private let settings = LockSettings(idleSeconds: 100)

    @Test(
        .requirement("LCK-09"),
        arguments: [
            (1, LockState.unlocked), (99, .unlocked), (100, .locked), (101, .locked),
            (1_000_000, .locked),
        ]
    )
    func `locks the first call after it`(seconds: Int, state: LockState) throws {
        var device = try shared.process(locking: settings, since: instant(10))
        #expect(try device.served(at: instant(10 + seconds)) == state)
        #expect(openClasses(device) == (state == .locked ? afterLock : allClasses))
    }

    @Test(.requirement("LCK-09")) func `locks for the other processes, and announces it`() throws {
        var first = try shared.process(locking: settings, since: instant(0))
        var second = try shared.process()
        #expect(try second.served(at: instant(1)) == .unlocked)
        #expect(try first.follow(at: instant(100)) == [.protectedDataWillBecomeUnavailable])
        #expect(second.isUnchanged == false)
        // Whatever its clock tells: the lock was recorded.
        #expect(try second.served(at: instant(2)) == .locked)
        var third = try shared.process()
        #expect(try third.served(at: instant(101)) == .locked)
    }

    @Test(.requirement("LCK-09")) func `locks a program that was not there before`() throws {
        _ = try shared.process(locking: settings, since: instant(0))
        var second = try shared.process()
        #expect(try second.served(at: instant(100)) == .locked)
        #expect(second.isProtectedDataAvailable == false)
    }

    @Test(.requirement("LCK-09")) func `counts from the use by whichever process`() throws {
        var first = try shared.process(locking: settings, since: instant(0))
        var second = try shared.process()
        #expect(try second.served(at: instant(60)) == .unlocked)
        #expect(first.hasDueLockAction(at: instant(120)) == true)
        #expect(try first.served(at: instant(120)) == .unlocked)
        #expect(try second.served(at: instant(219)) == .unlocked)
        #expect(try first.served(at: instant(319)) == .locked)
    }

    @Test(.requirement("LCK-09"), arguments: [(9, false), (10, true)])
    func `writes a use down after a tenth of it`(seconds: Int, isWritten: Bool) throws {
        var device = try shared.process(locking: settings, since: instant(0))
        let before = shared.storage.read(.lockEpoch)
        #expect(device.hasDueLockAction(at: instant(seconds)) == isWritten)
        _ = try device.follow(at: instant(seconds))
        #expect((shared.storage.read(.lockEpoch) != before) == isWritten)
        #expect(device.hasDueLockAction(at: instant(seconds)) == false)
    }

    @Test(.requirement("LCK-09"), arguments: [99, 100, 101, 1_000_000])
    func `locks when the last use is further ahead than the limit`(seconds: Int) throws {
        var device = try shared.process(locking: settings, since: instant(1000))
        var unlockTimes = device.unlockTimes
        unlockTimes.lastUse = .seconds(1000 + seconds)
        let epoch = device.epoch
        let revised = try #require(epoch).revised(unlockTimes, isLocked: false)
        try Device.store(revised, in: shared.storage)
        #expect((try device.served(at: instant(1000)) == .locked) == (seconds >= 100))
    }

    @Test(.requirement("LCK-09")) func `locks this process where nothing can be written`() throws {
        _ = try shared.process(locking: settings, since: instant(0))
        let failing = FailingStorage(shared.storage, allowingWrites: 0, isReadable: true)
        var device = try openDevice(failing, sessions: shared.sessions, at: instant(1))
        #expect(try device.served(at: instant(50)) == .unlocked)
        _ = device.takeWarnings()
        #expect(try device.served(at: instant(149)) == .unlocked)
        #expect(try device.served(at: instant(249)) == .locked)
        #expect(device.takeWarnings().isEmpty == false)
    }

    @Test(.requirement("LCK-09")) func `ends with the next unlock, which counts anew`() throws {
        var device = try shared.process(locking: settings, since: instant(0))
        #expect(try device.served(at: instant(500)) == .locked)
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(501))
        #expect(try device.served(at: instant(600)) == .unlocked)
        #expect(try device.served(at: instant(700)) == .locked)
    }

    @Test(.requirement("LCK-09")) func `stays with the keybag when the passcode changes`() throws {
        var device = try shared.process(locking: settings, since: instant(0))
        let old = passcode("1234")
        _ = try device.setPasscode(passcode("5").secret, current: old, at: instant(50))
        #expect(device.lockSettings == settings)
        #expect(try device.served(at: instant(149)) == .unlocked)
        #expect(try device.served(at: instant(249)) == .locked)
    }

    @Test(.requirement("LCK-09")) func `does nothing without a passcode`() throws {
        var device = try openDevice(MemoryStorage())
        _ = try device.setLockSettings(settings, at: instant(0))
        #expect(device.hasDueLockAction(at: instant(1000)) == false)
        #expect(try device.served(at: instant(1000)) == .unlocked)
    }

    @Test(.requirement("LCK-09")) func `is none at first, and then no clock is read`() throws {
        let device = try shared.unlockedProcess()
        #expect(device.lockSettings == LockSettings())
        var looks = 0
        func look() -> DeviceInstant {
            looks += 1
            return instant(1_000_000)
        }
        #expect(device.hasDueLockAction(at: look()) == false)
        #expect(looks == 0)
    }
}

@Suite struct `A time of day` {
    private let shared = SharedDevice()
    private let day = 24 * 60
    private let settings = LockSettings(minuteOfDay: 22 * 60)

    /// When it was unlocked, when a call comes, in minutes after a midnight, and what it meets.
    struct Row: CustomTestStringConvertible {
        let unlocked: Int
        let call: Int
        let isLocked: Bool
        var testDescription: String { "\(unlocked) to \(call)" }
    }

    @Test(
        .requirement("LCK-09"),
        arguments: [
            Row(unlocked: 20 * 60, call: 22 * 60 - 1, isLocked: false),
            Row(unlocked: 20 * 60, call: 22 * 60, isLocked: true),
            Row(unlocked: 20 * 60, call: 23 * 60, isLocked: true),
            Row(unlocked: 22 * 60, call: 24 * 60 + 5, isLocked: false),
            Row(unlocked: 23 * 60, call: (24 + 21) * 60, isLocked: false),
            Row(unlocked: 23 * 60, call: (24 + 22) * 60, isLocked: true),
            Row(unlocked: 20 * 60, call: 3 * 24 * 60, isLocked: true),
        ]
    )
    func `locks the first call after it was crossed`(row: Row) throws {
        var device = try shared.process(locking: settings, since: minute(row.unlocked))
        #expect((try device.served(at: minute(row.call)) == .locked) == row.isLocked)
    }

    @Test(.requirement("LCK-09"), arguments: [(0, 1439), (1439, 1440), (1439, 2 * 1440 - 1)])
    func `may be midnight, or the minute before`(minuteOfDay: Int, unlocked: Int) throws {
        let settings = LockSettings(minuteOfDay: UInt16(minuteOfDay))
        var device = try shared.process(locking: settings, since: minute(unlocked))
        let next = (unlocked - minuteOfDay) / day * day + minuteOfDay + day
        #expect(try device.served(at: minute(next - 1)) == .unlocked)
        #expect(try device.served(at: minute(next)) == .locked)
    }

    @Test(.requirement("LCK-09")) func `locks again on the next day`() throws {
        var device = try shared.process(locking: settings, since: minute(20 * 60))
        #expect(try device.served(at: minute(23 * 60)) == .locked)
        _ = try device.unlock(passcode: passcode("1234").secret, at: minute(23 * 60 + 1))
        #expect(try device.served(at: minute(day + 20 * 60)) == .unlocked)
        #expect(try device.served(at: minute(day + 23 * 60)) == .locked)
    }

    @Test(.requirement("LCK-09"), arguments: [(119, LockState.unlocked), (120, .locked)])
    func `comes when it would, also if the clock is set back`(
        after: Int,
        state: LockState
    ) throws {
        var device = try shared.process(locking: settings, since: minute(20 * 60))
        let call = minute(20 * 60 + after, wall: 3 * 60)
        #expect(try device.served(at: call) == state)
    }

    @Test(.requirement("LCK-09")) func `comes with a clock that is set forward`() throws {
        var device = try shared.process(locking: settings, since: minute(20 * 60))
        #expect(try device.served(at: minute(20 * 60 + 1, wall: 22 * 60)) == .locked)
    }

    @Test(.requirement("LCK-09")) func `is one of local time`() throws {
        var device = try Device(
            opening: shared.storage,
            element: SoftwareSecureElement(
                storage: shared.storage,
                random: SeededRandomSource(seed: 1)
            ),
            creatingWith: passcode("1234"),
            sessions: shared.sessions,
            localTime: { $0 + 2 * 3600 },
            stretchingCost: { testCost },
            random: SeededRandomSource(seed: 1),
            at: minute(19 * 60)
        )
        _ = try device.unlock(passcode: passcode("1234").secret, at: minute(19 * 60))
        _ = try device.setLockSettings(settings, at: minute(19 * 60))
        #expect(try device.served(at: minute(20 * 60 - 1)) == .unlocked)
        #expect(try device.served(at: minute(20 * 60)) == .locked)
    }
}

@Suite struct `Sleep` {
    private let shared = SharedDevice()

    @Test(
        .requirement("LCK-09"),
        arguments: [
            (isSet: true, milliseconds: 0, state: LockState.unlocked),
            (isSet: true, milliseconds: 99, state: .unlocked),
            (isSet: true, milliseconds: 100, state: .locked),
            (isSet: false, milliseconds: 5000, state: .unlocked),
        ]
    )
    func `locks where it is set to`(isSet: Bool, milliseconds: Int, state: LockState) throws {
        let start = instant(10, suspended: .seconds(3))
        var device = try shared.process(locking: LockSettings(onSleep: isSet), since: start)
        let slept = Duration.seconds(3) + .milliseconds(milliseconds)
        let woken = instant(30, suspended: slept)
        #expect(try device.served(at: woken) == state)
    }

    @Test(.requirement("LCK-09")) func `before the unlock does not count`() throws {
        var device = try shared.process(
            locking: LockSettings(onSleep: true),
            since: instant(10, suspended: .seconds(3))
        )
        let woken = instant(500, suspended: .seconds(400))
        #expect(try device.served(at: woken) == .locked)
        _ = try device.unlock(passcode: passcode("1234").secret, at: woken)
        #expect(try device.served(at: instant(501, suspended: .seconds(400))) == .unlocked)
    }

    @Test(.requirement("LCK-09")) func `that is taken back by the clock locks`() throws {
        let start = instant(10, suspended: .seconds(3))
        var device = try shared.process(locking: LockSettings(onSleep: true), since: start)
        #expect(try device.served(at: instant(11, suspended: .zero)) == .locked)
    }
}

@Suite struct `Lock settings` {
    private static let all = LockSettings(
        idleSeconds: .max,
        minuteOfDay: 1439,
        onSleep: true,
        onLogout: true
    )

    @Test(
        .requirement("LCK-09"),
        arguments: [
            LockSettings(), LockSettings(idleSeconds: 1), LockSettings(minuteOfDay: 0),
            LockSettings(onSleep: true), LockSettings(onLogout: true), all,
        ]
    )
    func `are read as they were written`(settings: LockSettings) throws {
        let shared = SharedDevice()
        let first = try shared.process(locking: settings, since: instant(0))
        #expect(first.lockSettings == settings)
        let second = try shared.process()
        #expect(second.lockSettings == settings)
    }

    @Test(
        arguments: [
            [0, 0, 0, 0, 0x05, 0xA1, 0, 0], [0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
            [0, 0, 0, 0, 0, 0, 4, 0], [0, 0, 0, 0, 0, 0, 0x80, 0], [0, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]]
    )
    func `are refused when out of range`(bytes: [UInt8]) {
        let fault = { (reason: String) in DeviceError.damaged(path: "p", reason: reason) }
        var fields = ByteReader(bytes[...], fault: fault)
        #expect(throws: DeviceError.self) { try LockSettings(from: &fields, fault: fault) }
    }

    @Test(.requirement("LCK-09")) func `reach the other processes`() throws {
        let shared = SharedDevice()
        var first = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(1))
        _ = try first.setLockSettings(LockSettings(idleSeconds: 5), at: instant(2))
        #expect(second.isUnchanged == false)
        #expect(try second.served(at: instant(7)) == .locked)
    }

    @Test(.requirement("LCK-09")) func `are changed only while unlocked`() throws {
        let shared = SharedDevice()
        var first = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(1))
        _ = try first.lock(at: instant(2))
        #expect(throws: DeviceError.locked(.whenUnlocked)) {
            _ = try first.setLockSettings(Self.all, at: instant(3))
        }
        // This one has not yet seen the lock, and must not undo it.
        #expect(throws: DeviceError.locked(.whenUnlocked)) {
            _ = try second.setLockSettings(Self.all, at: instant(3))
        }
        #expect(first.lockSettings == LockSettings())
    }

    @Test(.requirement("LCK-09")) func `are gone after a factory reset`() throws {
        let shared = SharedDevice()
        var device = try shared.process(locking: Self.all, since: instant(0))
        _ = try device.erase(at: instant(1))
        #expect(device.lockSettings == LockSettings())
    }
}
