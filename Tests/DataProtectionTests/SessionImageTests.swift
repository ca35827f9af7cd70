import Cryptography
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// A device that several processes share, with sessions in memory.
final class SharedDevice {
    let storage = MemoryStorage()
    let sessions = MemorySessionStorage()

    /// Another process that opens it; the first one makes it, with the passcode 1234.
    func process(at now: DeviceInstant = instant(0)) throws -> Device {
        try openDevice(
            storage,
            creatingWith: passcode("1234"),
            sessions: sessions,
            tokenLifetime: .untilLock,
            at: now
        )
    }

    func unlockedProcess() throws -> Device {
        var device = try process()
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
        return device
    }
}

@Suite struct `A session` {
    private let shared = SharedDevice()

    @Test func `hands an unlock to another process`() throws {
        var second = try shared.process()
        let first = try shared.unlockedProcess()
        #expect(try second.follow(at: instant(3)) == [.protectedDataDidBecomeAvailable])
        #expect(second.state.lockState == .unlocked)
        let wrapped = try ProtectionClass.allCases.map { try wrapProbe(second, $0) }
        #expect(try ProtectionClass.allCases.map { try wrapProbe(first, $0) } == wrapped)
    }

    @Test(.requirement("LCK-01"))
    func `hands a lock on, which evicts elsewhere`() throws {
        var first = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(2))
        _ = try first.lock(at: instant(3))
        #expect(try second.follow(at: instant(4)) == [.protectedDataWillBecomeUnavailable])
        #expect(second.state.lockState == .locked)
        #expect(openClasses(second) == afterLock)
        var third = try shared.process()
        _ = try third.follow(at: instant(5))
        #expect(openClasses(third) == afterLock)
    }

    @Test func `that is gone locks whoever shared it`() throws {
        _ = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(2))
        shared.sessions.images = [:]
        #expect(second.isUnchanged == false)
        _ = try second.follow(at: instant(3))
        #expect(second.state.lockState == .locked)
        var third = try shared.process()
        _ = try third.follow(at: instant(4))
        #expect(third.state.lockState == .beforeFirstUnlock)
    }

    @Test func `carries the end of the grace period, and ends with it`() throws {
        var first = try shared.unlockedProcess()
        _ = try first.lock(grace: .seconds(10), at: instant(10))
        let during = shared.sessions.images
        var second = try shared.process()
        _ = try second.follow(at: instant(12))
        #expect(second.isProtectedDataAvailable == true)
        _ = try second.follow(at: instant(20))
        #expect(second.isProtectedDataAvailable == false)
        #expect(shared.sessions.images.keys != during.keys)
        var third = try shared.process()
        _ = try third.follow(at: instant(21))
        #expect(third.state.lockState == .locked)
    }

    @Test func `follows a passcode change, and ends with the passcode`() throws {
        var first = try shared.unlockedProcess()
        var second = try shared.process()
        _ = try second.follow(at: instant(2))
        _ = try first.setPasscode(
            passcode("5").secret,
            current: passcode("1234"),
            at: instant(3)
        )
        _ = try second.follow(at: instant(4))
        #expect(second.state.lockState == .unlocked)
        #expect(try wrapProbe(second, .whenUnlocked) == wrapProbe(first, .whenUnlocked))
        _ = try first.removePasscode(current: passcode("5").secret, at: instant(5))
        #expect(shared.sessions.images.isEmpty)
    }

    @Test(.requirement("LCK-01"))
    func `of processes that share nothing is locked for all of them`() throws {
        let storage = MemoryStorage()
        var first = try openDevice(storage, creatingWith: passcode("1234"))
        var second = try openDevice(storage)
        _ = try first.unlock(passcode: passcode("1234").secret, at: instant(1))
        _ = try second.unlock(passcode: passcode("1234").secret, at: instant(2))
        _ = try first.follow(at: instant(3))
        #expect(first.state.lockState == .unlocked)
        _ = try first.lock(at: instant(4))
        _ = try second.follow(at: instant(5))
        #expect(second.state.lockState == .locked)
        #expect(openClasses(second) == afterLock)
    }
}

@Suite struct `A session image` {
    private let shared = SharedDevice()

    /// What ends the epoch of an image, and how to do it.
    enum End: String, CaseIterable, CustomTestStringConvertible {
        case lock, restart, passcodeChange, passcodeRemoval, erase, lockWithoutOpening

        var testDescription: String { rawValue }

        func happen(to device: inout Device, _ shared: SharedDevice) throws {
            let current = passcode("1234")
            switch self {
            case .lock: _ = try device.lock(at: instant(3))
            case .restart: _ = try device.reboot(at: instant(0, boot: 2))
            case .passcodeChange:
                _ = try device.setPasscode(current.secret, current: current, at: instant(3))
            case .passcodeRemoval:
                _ = try device.removePasscode(current: current.secret, at: instant(3))
                _ = try device.setPasscode(current.secret, current: nil, at: instant(4))
            case .erase:
                _ = try device.erase(at: instant(3))
                _ = try device.setPasscode(current.secret, current: nil, at: instant(4))
            case .lockWithoutOpening:
                try Device.lockUnopened(
                    shared.storage,
                    sessions: shared.sessions,
                    random: SeededRandomSource(seed: 9),
                    at: instant(3)
                )
            }
        }
    }

    @Test(.requirement("LCK-03"), arguments: End.allCases)
    func `of before is worthless, under its own name and that of the next`(end: End) throws {
        var first = try shared.unlockedProcess()
        let before = shared.sessions.images
        let image = try #require(before.values.first)
        try end.happen(to: &first, shared)
        let after = shared.sessions.images
        let boot: UInt8 = end == .restart ? 2 : 1
        let present = first.epoch
        let name = try #require(present).sessionName(of: first.keybagUUID)
        shared.sessions.images = before.merging([name: image]) { $1 }
        var second = try shared.process(at: instant(5, boot: boot))
        _ = try second.follow(at: instant(5, boot: boot))
        #expect(second.state.lockState == .beforeFirstUnlock)
        #expect(openClasses(second) == beforeFirstUnlock)
        #expect(after.keys.allSatisfy { before[$0] == nil })
    }

    /// As if the process had died between the keybag and the next epoch.
    @Test(.requirement("LCK-03"))
    func `of the class keys of before is worthless in its own epoch too`() throws {
        var first = try shared.unlockedProcess()
        let record = shared.storage.read(.lockEpoch)
        let images = shared.sessions.images
        let current = passcode("1234")
        _ = try first.setPasscode(current.secret, current: current, at: instant(3))
        shared.storage.replace(.lockEpoch, with: try #require(record))
        shared.sessions.images = images
        var second = try shared.process()
        _ = try second.follow(at: instant(4))
        #expect(openClasses(second) == beforeFirstUnlock)
    }

    @Test func `opens nothing when a byte is missing or differs`() throws {
        let first = try shared.unlockedProcess()
        let image = try #require(shared.sessions.images.values.first)
        let epoch = first.epoch
        let nonce = try #require(epoch).nonce
        let element = SoftwareSecureElement(
            storage: shared.storage,
            random: ExhaustedRandomSource()
        )
        let stored = shared.storage.read(.keybag)
        let bytes = try #require(stored)
        var keybag = try Keybag(decoding: bytes, path: "keybag", element: element)
        let opening = SpoiledBytes.all(of: image, flipping: 0x01).filter { changed in
            let error = failure {
                try keybag.adopt(sessionImage: changed, in: nonce, bootID: instant(0).bootID)
            }
            guard case .sessionUnusable? = error as? DeviceError else { return true }
            return keybag.isAvailable(.afterFirstUnlock)
        }
        #expect(opening == [])
    }

    @Test func `has a name that the next epoch does not have, and another keybag neither`() throws {
        let boot = instant(0).bootID
        let unlockTimes = UnlockTimes(at: instant(0), localMinute: 0)
        let one = try LockEpoch(
            after: 0,
            isLocked: false,
            bootID: boot,
            unlockTimes: unlockTimes,
            random: SeededRandomSource(seed: 1)
        )
        let next = try LockEpoch(
            after: 1,
            isLocked: false,
            bootID: boot,
            unlockTimes: unlockTimes,
            random: SeededRandomSource(seed: 2)
        )
        let uuids: [[UInt8]] = [Array(repeating: 1, count: 16), Array(repeating: 2, count: 16)]
        let names = try [one, next].flatMap { epoch in
            try uuids.map { try epoch.sessionName(of: $0) }
        }
        #expect(Set(names).count == 4)
        #expect(names.allSatisfy { $0.count == "keychain-".count + 16 + 1 + 32 })
    }
}
