import Cryptography
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `A device` {
    @Test(.requirement("ACC-19", "ACC-20", "ACC-21"))
    func `opens its classes as the lock state allows`() throws {
        var device = try openDevice(MemoryStorage(), creatingWith: passcode("1234"))
        #expect(openClasses(device) == beforeFirstUnlock)
        #expect(
            try device.unlock(passcode: passcode("1234").secret, at: instant(1))
                == [.protectedDataDidBecomeAvailable]
        )
        #expect(openClasses(device) == allClasses)
        #expect(try device.lock(at: instant(2)) == [.protectedDataWillBecomeUnavailable])
        #expect(openClasses(device) == afterLock)
        #expect(throws: DeviceError.locked(.whenUnlocked)) { try wrapProbe(device, .whenUnlocked) }
        _ = try device.reboot(at: instant(1, boot: 2))
        #expect(openClasses(device) == beforeFirstUnlock)
        #expect(throws: DeviceError.locked(.afterFirstUnlock)) {
            try wrapProbe(device, .afterFirstUnlock)
        }
    }

    @Test(.requirement("ACC-22", "ACC-31")) func `keeps its keys until the grace is over`() throws {
        var device = try openDevice(MemoryStorage(), creatingWith: passcode("1234"))
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(0))
        _ = try device.lock(grace: .seconds(10), at: instant(100))
        _ = device.advance(to: instant(109))
        #expect(device.isProtectedDataAvailable == true)
        #expect(openClasses(device) == allClasses)
        _ = device.advance(to: instant(111))
        #expect(device.isProtectedDataAvailable == false)
        #expect(openClasses(device) == afterLock)
    }

    @Test(.requirement("ACC-05", "ACC-23")) func `without a passcode is always unlocked`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage)
        #expect(try device.lock(at: instant(1)) == [])
        #expect(try device.reboot(at: instant(0, boot: 2)) == [])
        #expect(openClasses(device) == allClasses.dropLast())
        #expect(openClasses(try openDevice(storage)) == allClasses.dropLast())
        #expect(throws: DeviceError.noSuchClass(.whenPasscodeSetThisDeviceOnly)) {
            try wrapProbe(device, .whenPasscodeSetThisDeviceOnly)
        }
        #expect(try device.unlock(passcode: passcode("any").secret, at: instant(3)) == [])
        #expect(throws: DeviceError.passcodeNotSet) {
            try device.removePasscode(current: passcode("any").secret, at: instant(3))
        }
        #expect(throws: DeviceError.passcodeNotSet) {
            try device.verify(passcode: passcode("any").secret, at: instant(3))
        }
    }

    @Test(.requirement("SIM-10", "OPS-06"))
    func `has another key for every guarded class when the passcode changes`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage, creatingWith: passcode("old"))
        _ = try device.unlock(passcode: passcode("old").secret, at: instant(1))
        let before = try ProtectionClass.allCases.map { try wrapProbe(device, $0) }
        let salt = device.keybag.record.passcode?.salt
        _ = try device.setPasscode(
            passcode("new").secret,
            current: passcode("old"),
            at: instant(2)
        )
        #expect(device.keybag.record.passcode?.salt != salt)
        var reopened = try openDevice(storage)
        #expect(throws: DeviceError.self) {
            try reopened.unlock(passcode: passcode("old").secret, at: instant(3))
        }
        _ = try reopened.unlock(passcode: passcode("new").secret, at: instant(4))
        let after = try ProtectionClass.allCases.map { try wrapProbe(reopened, $0) }
        let changed = zip(before, after).map { $0 != $1 }
        #expect(changed == ProtectionClass.allCases.map(\.isPasscodeGuarded))
    }

    @Test(.requirement("ACC-06")) func `destroys the passcode class with the passcode`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage, creatingWith: passcode("1234"))
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
        let sealed = try wrapProbe(device, .whenPasscodeSetThisDeviceOnly)
        let other = try wrapProbe(device, .whenUnlocked)
        _ = try device.removePasscode(current: passcode("1234").secret, at: instant(2))
        #expect(openClasses(device) == allClasses.dropLast())
        #expect(openClasses(try openDevice(storage)) == allClasses.dropLast())
        _ = try device.setPasscode(passcode("1234").secret, current: nil, at: instant(3))
        #expect(openClasses(device) == allClasses)
        #expect(throws: DeviceError.cryptography(.authenticationFailed)) {
            try device.withClassKey(.whenPasscodeSetThisDeviceOnly) {
                key throws(CryptographyError) in
                try sealed.withUnsafeBufferPointer { sealed throws(CryptographyError) in
                    try key.unwrap(UnsafeRawBufferPointer(sealed)).byteCount
                }
            }
        }
        #expect(try wrapProbe(device, .whenUnlocked) != other)
    }

    @Test func `refuses an empty passcode and a change without the current one`() throws {
        var device = try openDevice(MemoryStorage(), creatingWith: passcode("1234"))
        #expect(throws: DeviceError.emptyPasscode) {
            try device.setPasscode(passcode("").secret, current: passcode("1234"), at: instant(1))
        }
        #expect(throws: DeviceError.passcodeRequired) {
            try device.setPasscode(passcode("5678").secret, current: nil, at: instant(1))
        }
        #expect(throws: DeviceError.emptyPasscode) {
            _ = try openDevice(MemoryStorage(), creatingWith: passcode(""))
        }
    }

    @Test(.requirement("STO-15", "OPS-09")) func `is useless to old files once erased`() throws {
        let storage = MemoryStorage()
        var device = try openDevice(storage, creatingWith: passcode("1234"))
        let uuid = device.keybagUUID
        let keybag = try #require(storage.read(.keybag))
        _ = try device.erase(at: instant(1))
        #expect(device.keybagUUID != uuid)
        #expect(device.isPasscodeSet == false)
        storage.replace(.keybag, with: keybag)
        #expect(throws: DeviceError.self) { _ = try openDevice(storage) }
        #expect(storage.read(.keybag) == keybag)
    }

    @Test(.requirement("SIM-10"), arguments: 0..<7)
    func `survives a kill at any write of a passcode change`(writes: Int) throws {
        let storage = MemoryStorage()
        _ = try openDevice(storage, creatingWith: passcode("old"))
        let killed = FailingStorage(storage, allowingWrites: writes)
        if writes > 0 {
            var device = try openDevice(killed)
            _ = try? device.setPasscode(
                passcode("new").secret,
                current: passcode("old"),
                at: instant(1)
            )
        }
        var reopened = try openDevice(storage)
        let accepted = ["old", "new"].filter { text in
            (try? reopened.unlock(passcode: passcode(text).secret, at: instant(9))) != nil
        }
        #expect(accepted == [writes < 4 ? "old" : "new"])
    }

    @Test(.requirement("STO-15"), arguments: 0..<5)
    func `survives a kill at any write of a factory reset`(writes: Int) throws {
        let storage = MemoryStorage()
        _ = try openDevice(storage, creatingWith: passcode("1234"))
        if writes > 0 {
            var device = try openDevice(FailingStorage(storage, allowingWrites: writes))
            _ = try? device.erase(at: instant(1))
        }
        let reopened = try openDevice(storage, at: instant(2))
        #expect(reopened.isPasscodeSet == (writes == 0))
    }
}

@Suite struct `Two processes with one device` {
    @Test func `see each other's passcode changes`() throws {
        let storage = MemoryStorage()
        var first = try openDevice(storage)
        var second = try openDevice(storage)
        _ = try first.setPasscode(passcode("1").secret, current: nil, at: instant(1))
        #expect(
            try second.follow(at: instant(2)) == [.protectedDataWillBecomeUnavailable]
        )
        #expect(openClasses(second) == beforeFirstUnlock)
        _ = try second.unlock(passcode: passcode("1").secret, at: instant(3))
        _ = try second.setPasscode(passcode("2").secret, current: passcode("1"), at: instant(4))
        #expect(try first.follow(at: instant(5)) == [.protectedDataWillBecomeUnavailable])
        #expect(openClasses(first) == beforeFirstUnlock)
        _ = try first.unlock(passcode: passcode("2").secret, at: instant(5))
        #expect(openClasses(first) == allClasses)
        _ = try first.lock(at: instant(6))
        _ = try second.removePasscode(current: passcode("2").secret, at: instant(7))
        #expect(try first.follow(at: instant(8)) == [.protectedDataDidBecomeAvailable])
        #expect(openClasses(first) == allClasses.dropLast())
    }

    @Test func `do not mistake one passcode class key for the next`() throws {
        let storage = MemoryStorage()
        var first = try openDevice(storage)
        _ = try first.setPasscode(passcode("1").secret, current: nil, at: instant(1))
        var second = try openDevice(storage)
        _ = try second.removePasscode(current: passcode("1").secret, at: instant(2))
        _ = try second.setPasscode(passcode("1").secret, current: nil, at: instant(3))
        _ = try first.follow(at: instant(4))
        #expect(openClasses(first) == beforeFirstUnlock)
    }

    @Test func `notice a factory reset`() throws {
        let storage = MemoryStorage()
        var first = try openDevice(storage, creatingWith: passcode("1"))
        var second = try openDevice(storage)
        _ = try second.erase(at: instant(1))
        #expect(try first.follow(at: instant(2)) == [.protectedDataDidBecomeAvailable])
        #expect(first.keybagUUID == second.keybagUUID)
    }

    @Test func `make one device when they race`() async throws {
        let storage = MemoryStorage()
        let names = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for seed in 1...8 {
                group.addTask { try openDevice(storage, seed: UInt64(seed)).keybagUUID }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }
}
