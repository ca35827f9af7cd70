import Cryptography
import Glibc
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// What a process does that cannot tell whether another one has locked.
@Suite struct `A process that cannot follow the lock epoch` {
    private let shared = SharedDevice()

    @Test(.requirement("LCK-05"))
    func `with a passcode never counts as unchanged`() throws {
        var device = try shared.unlockedProcess()
        #expect(device.isUnchanged == true)
        device.epoch = nil
        #expect(device.isUnchanged == false)
    }

    @Test(.requirement("LCK-04"))
    func `lets its keys go, and takes over the session that lasts`() throws {
        _ = try shared.unlockedProcess()
        let cut = FailingStorage(shared.storage, allowingWrites: 1)
        var device = try openDevice(
            cut,
            sessions: shared.sessions,
            tokenLifetime: .untilLock,
            at: instant(2)
        )
        _ = try device.follow(at: instant(2))
        #expect(device.state.lockState == .unlocked)
        // The last write: from here on nothing can be read.
        try cut.replace(.nextKeybag, with: [0])
        #expect(throws: DeviceError.self) { try device.follow(at: instant(3)) }
        #expect(openClasses(device) == afterLock)
    }

    @Test(.requirement("LCK-04"))
    func `counts an epoch that has the number of the one before`() throws {
        var first = try shared.unlockedProcess()
        let count = first.epochCount
        shared.storage.replace(.lockEpoch, with: [])
        var second = try shared.process(at: instant(3))
        _ = try second.unlock(passcode: passcode("1234").secret, at: instant(3))
        _ = try first.follow(at: instant(4))
        #expect(first.state.lockState == .unlocked)
        let number = first.epoch?.number
        #expect(number == 1)
        #expect(first.epochCount == count + 1)
    }
}

@Suite struct `A lock that cannot be recorded` {
    private let shared = SharedDevice()

    /// As a process without an image cannot be told of the lock, nobody may think that it was.
    @Test(.requirement("LCK-05"), arguments: [false, true])
    func `fails unless it takes away a session`(isShared: Bool) throws {
        _ = try shared.unlockedProcess()
        if !isShared { shared.sessions.images = [:] }
        let failing = FailingStorage(shared.storage, allowingWrites: 0, isReadable: true)
        var result: DeviceError?
        do throws(DeviceError) {
            try Device.lockUnopened(
                failing,
                sessions: shared.sessions,
                random: SeededRandomSource(seed: 1),
                at: instant(3)
            )
        } catch { result = error }
        #expect((result == nil) == isShared)
    }
}

@Suite struct `The open record of a lock epoch` {
    /// Puts another file in the record's place, or none.
    @Test(.requirement("LCK-01"), arguments: [false, true])
    func `is left once the name belongs to another file`(isReplaced: Bool) throws {
        let path = "/tmp/lock-edge-\(getpid())-\(isReplaced)"
        let storage = try DirectoryStorage(path: path)
        defer {
            for name in ["/lock-epoch", "/lock-epoch.new", ""] { remove(path + name) }
        }
        try overwrite(storage, with: 1)
        #expect(try first(storage) == 1)
        if isReplaced {
            try storage.replace(.lockEpoch, with: [2])
        } else {
            try storage.remove(.lockEpoch)
        }
        #expect(try first(storage) == (isReplaced ? 2 : nil))
    }

    private func overwrite(_ storage: DirectoryStorage, with byte: UInt8) throws {
        try [byte].withUnsafeBytes { bytes in try storage.overwrite(.lockEpoch, with: bytes) }
    }

    private func first(_ storage: DirectoryStorage) throws -> UInt8? {
        var byte: UInt8 = 0
        let count = try withUnsafeMutableBytes(of: &byte) { buffer in
            try storage.read(.lockEpoch, into: buffer)
        }
        return count == 1 ? byte : nil
    }
}
