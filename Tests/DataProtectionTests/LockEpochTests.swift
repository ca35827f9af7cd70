import Cryptography
import Glibc
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `The record of a lock epoch` {
    private func epoch(isLocked: Bool = false) throws -> LockEpoch {
        let unlockTimes = UnlockTimes(at: instant(5), localMinute: 77)
        return try LockEpoch(
            after: 6,
            isLocked: false,
            bootID: instant(0).bootID,
            unlockTimes: unlockTimes,
            random: SeededRandomSource(seed: 1)
        ).revised(unlockTimes, isLocked: isLocked)
    }

    @Test(arguments: [false, true]) func `is read as it was written`(isLocked: Bool) throws {
        let written = try epoch(isLocked: isLocked)
        let read = try LockEpoch(parsing: written.record.secret)
        #expect(read.number == 7)
        #expect(read.revision == 1)
        #expect(read.isLocked == isLocked)
        #expect(read.bootID == instant(0).bootID)
        #expect(read.unlockTimes == UnlockTimes(at: instant(5), localMinute: 77))
        #expect(read.isSame(as: written))
        #expect(written.record.secret.byteCount == 144)
    }

    @Test func `is none when a byte is missing or differs`() throws {
        let bytes = try epoch().record.secret.copyBytesUnprotected()
        let accepted = SpoiledBytes.all(of: bytes, flipping: 0x01).filter { changed in
            !(failure { try LockEpoch(parsing: Secret(copying: changed)) } is DeviceError)
        }
        #expect(accepted == [])
    }

    @Test(arguments: [0, 1, 143, 145])
    func `of another size in the file counts as none`(byteCount: Int) throws {
        let shared = SharedDevice()
        _ = try shared.unlockedProcess()
        let whole = shared.storage.read(.lockEpoch)
        var bytes = try #require(whole)
        bytes = Array((bytes + [0]).prefix(byteCount))
        shared.storage.replace(.lockEpoch, with: bytes)
        var second = try shared.process()
        _ = try second.follow(at: instant(3))
        // One byte more is not looked at: the record is complete.
        let isWhole = byteCount > LockEpoch.byteCount
        #expect((second.state.lockState == .unlocked) == isWhole)
    }

    @Test func `that is damaged locks every process at its next call`() throws {
        let shared = SharedDevice()
        var first = try shared.unlockedProcess()
        shared.storage.replace(.lockEpoch, with: [UInt8](repeating: 0, count: 144))
        #expect(first.isUnchanged == false)
        _ = try first.follow(at: instant(3))
        #expect(first.state.lockState == .locked)
    }

    @Test(arguments: 1...3)
    func `is another one after each lock`(count: Int) throws {
        let shared = SharedDevice()
        var device = try shared.unlockedProcess()
        var numbers: [UInt64] = []
        for second in 0..<count {
            _ = try device.lock(at: instant(10 + second))
            let epoch = device.epoch
            numbers.append(try #require(epoch).number)
        }
        #expect(numbers == Array(2...UInt64(count + 1)))
    }
}

@Suite struct `Whether somebody locked` {
    private let shared = SharedDevice()

    private func wasLocked(_ device: borrowing Device) -> Bool { device.wasLocked }

    @Test(.requirement("LCK-05", "OPS-03"))
    func `is known from the record when the session image is gone`() throws {
        var first = try shared.unlockedProcess()
        #expect(wasLocked(first) == false)
        _ = try first.lock(at: instant(2))
        shared.sessions.images = [:]
        var second = try shared.process()
        _ = try second.follow(at: instant(3))
        #expect(openClasses(second) == beforeFirstUnlock)
        #expect(wasLocked(second) == true)
    }

    @Test func `is on record also where nobody had unlocked`() throws {
        var first = try shared.process()
        #expect(wasLocked(first) == false)
        _ = try first.lock(at: instant(1))
        #expect(wasLocked(first) == true)
    }

    @Test func `is forgotten by an unlock, in every process`() throws {
        var first = try shared.unlockedProcess()
        _ = try first.lock(at: instant(2))
        _ = try first.unlock(passcode: passcode("1234").secret, at: instant(3))
        shared.sessions.images = [:]
        var second = try shared.process()
        _ = try second.follow(at: instant(4))
        #expect(openClasses(second) == beforeFirstUnlock)
        #expect(wasLocked(second) == false)
    }

    @Test func `is forgotten by a restart`() throws {
        var first = try shared.unlockedProcess()
        _ = try first.lock(at: instant(2))
        _ = try first.reboot(at: instant(0, boot: 2))
        #expect(wasLocked(first) == false)
    }

    @Test func `is not undone by a process that notes something in the keybag`() throws {
        var first = try shared.unlockedProcess()
        _ = try first.lock(at: instant(2))
        first.keybag.record.sumsRows = false
        _ = try first.noteRowSum(at: instant(3))
        #expect(wasLocked(first) == true)
    }
}

@Suite struct `Locking` {
    @Test(.requirement("LCK-05"))
    func `holds when the session's place takes nothing`() throws {
        let shared = SharedDevice()
        var first = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(2))
        shared.sessions.isFull = true
        _ = try first.lock(at: instant(3))
        let warnings = first.takeWarnings()
        guard case .sessionNotShared? = warnings.first, warnings.count == 1 else {
            Issue.record("\(warnings)")
            return
        }
        _ = try second.follow(at: instant(4))
        #expect(second.state.lockState == .locked)
        var third = try shared.process()
        _ = try third.follow(at: instant(5))
        #expect(openClasses(third) == beforeFirstUnlock)
    }

    @Test(.requirement("LCK-05", "LCK-06"))
    func `holds by removing the session when the directory takes nothing`() throws {
        let shared = SharedDevice()
        _ = try shared.unlockedProcess()
        let failing = FailingStorage(shared.storage, allowingWrites: 0, isReadable: true)
        var first = try openDevice(
            failing,
            sessions: shared.sessions,
            tokenLifetime: .untilLock,
            at: instant(2)
        )
        var second = try shared.process()
        _ = try second.follow(at: instant(2))
        #expect(second.state.lockState == .unlocked)
        _ = try first.follow(at: instant(2))
        _ = try first.lock(at: instant(3))
        guard case .lockNotRecorded? = first.takeWarnings().first else {
            Issue.record("there is no warning")
            return
        }
        #expect(shared.sessions.images.isEmpty)
        _ = try second.follow(at: instant(4))
        #expect(second.state.lockState == .locked)
    }

    @Test(.requirement("LCK-02"))
    func `fails, with this process's keys gone, when nothing can be written or removed`() throws {
        let shared = SharedDevice()
        _ = try shared.unlockedProcess()
        let failing = FailingStorage(shared.storage, allowingWrites: 0, isReadable: true)
        var first = try openDevice(failing, sessions: shared.sessions, at: instant(2))
        _ = try first.follow(at: instant(2))
        #expect(first.state.lockState == .unlocked)
        shared.sessions.isStuck = true
        #expect(throws: DeviceError.self) { try first.lock(at: instant(3)) }
        #expect(first.state.lockState == .locked)
        #expect(openClasses(first) == afterLock)
    }

    @Test(.requirement("LCK-04"), arguments: [false, true])
    func `leaves no unlock token, and without a finger there was none`(isEnrolled: Bool) throws {
        let shared = SharedDevice()
        var device = try shared.process()
        if isEnrolled { try device.enroll([1]) }
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
        let made = device.unlockToken
        #expect((made != nil) == isEnrolled)
        _ = try device.lock(at: instant(2))
        let left = device.unlockToken
        #expect(left == nil)
        _ = try device.prove(passcode: passcode("1234").secret, at: instant(3))
        let proven = device.unlockToken
        #expect(proven == nil)
    }

    @Test(.requirement("LCK-01"))
    func `while another process changes the passcode holds, and the change stands`() throws {
        let shared = SharedDevice()
        var first = try shared.unlockedProcess()
        var next: KeybagSuccessor? = try first.prepareSuccessor(
            passcode("5678").secret,
            current: passcode("1234"),
            at: instant(2)
        )
        var second = try shared.process()
        _ = try second.follow(at: instant(3))
        _ = try second.lock(at: instant(4))
        try shared.storage.withExclusiveLock { () throws(DeviceError) in
            guard let made = next.take() else { return }
            try first.stage(made)
            first.promote(made, at: instant(5))
        }
        #expect(first.state.lockState == .locked)
        #expect(openClasses(first) == afterLock)
        _ = try second.follow(at: instant(6))
        #expect(second.state.lockState == .locked)
        _ = try second.unlock(passcode: passcode("5678").secret, at: instant(7))
        #expect(second.state.lockState == .unlocked)
    }

    @Test(.requirement("LCK-01"))
    func `holds against a process that only notes something in the keybag`() throws {
        let shared = SharedDevice()
        var first = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(2))
        first.keybag.record.sumsRows = false
        _ = try second.lock(at: instant(3))
        _ = try first.noteRowSum(at: instant(4))
        #expect(first.state.lockState == .locked)
        _ = try second.follow(at: instant(5))
        #expect(second.state.lockState == .locked)
    }

    @Test func `lets go of the token once nobody is enrolled any more`() throws {
        let shared = SharedDevice()
        var device = try shared.process()
        try device.enroll([1])
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
        try device.removeEnrolment([1])
        try device.forgetUselessToken()
        let left = device.unlockToken
        #expect(left == nil)
    }
}
