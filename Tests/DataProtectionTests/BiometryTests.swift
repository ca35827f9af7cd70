import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `A face or finger` {
    private let storage = MemoryStorage()

    private func stranger(_ device: inout Device) -> DeviceError? {
        do throws(DeviceError) {
            _ = try device.prove(presenting: [9], at: instant(2))
            return nil
        } catch {
            return error
        }
    }

    @Test(.requirement("BIO-15")) func `is counted durably before it is compared`() throws {
        var device = try ownedDevice(storage)
        for _ in 1...3 { #expect(stranger(&device) == .noMatch) }
        // Another process, and the same one after a restart, know of the failures.
        var other = try openDevice(storage)
        _ = try other.reboot(at: instant(0, boot: 2))
        #expect(try other.element.enrolments()?.failures == 3)
        for _ in 1...2 { #expect(stranger(&device) == .noMatch) }
        #expect(stranger(&device) == .biometryUnavailable(.lockedOut))
        #expect(throws: DeviceError.biometryUnavailable(.lockedOut)) {
            try device.prove(presenting: owner, at: instant(2))
        }
        #expect(try other.biometryObstacle() == .lockedOut)
    }

    @Test(.requirement("BIO-15"))
    func `is not forgiven when the process dies between count and comparison`() throws {
        let dying = FailingStorage(storage, allowingWrites: .max, isReadable: true)
        var device = try ownedDevice(dying)
        dying.allow(writes: 1)
        #expect(throws: DeviceError.self) { try device.prove(presenting: owner, at: instant(2)) }
        #expect(try openDevice(storage).element.enrolments()?.failures == 1)
    }

    @Test(.requirement("BIO-15"))
    func `that matches leaves no failure behind`() throws {
        var device = try ownedDevice(storage)
        _ = try device.prove(presenting: owner, at: instant(2))
        for _ in 1...4 { #expect(stranger(&device) == .noMatch) }
        let proof = try device.prove(presenting: owner, at: instant(3))
        #expect(proof.factors == [.biometry, .currentBiometry])
    }

    @Test(.requirement("BIO-15"), arguments: ["unlock", "prove", "change"])
    func `works again once the passcode was right`(way: String) throws {
        var device = try ownedDevice(storage)
        for _ in 1...5 { _ = stranger(&device) }
        let right = passcode("1234")
        switch way {
        case "unlock": _ = try device.unlock(passcode: right.secret, at: instant(3))
        case "prove": _ = try device.prove(passcode: right.secret, at: instant(3))
        default:
            _ = try device.setPasscode(passcode("5678").secret, current: right, at: instant(3))
        }
        #expect(try device.biometryObstacle() == nil)
        let proof = try device.prove(presenting: owner, at: instant(4))
        #expect(proof.factors == [.biometry, .currentBiometry])
    }

    @Test func `waits for the passcode after a restart, and where none is set`() throws {
        var device = try ownedDevice(storage)
        #expect(try device.biometryObstacle() == nil)
        _ = try device.reboot(at: instant(0, boot: 2))
        #expect(try device.biometryObstacle() == .noToken)
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1, boot: 2))
        #expect(try device.biometryObstacle() == nil)
        _ = try device.removePasscode(current: passcode("1234").secret, at: instant(2, boot: 2))
        #expect(try device.biometryObstacle() == .noPasscode)
    }

    @Test func `unlocks a locked device, and no other`() throws {
        var device = try ownedDevice(storage)
        _ = try device.lock(at: instant(2))
        #expect(device.isAvailable(.whenUnlocked) == false)
        #expect(throws: DeviceError.noMatch) {
            try device.unlock(presenting: [9], at: instant(3))
        }
        #expect(device.state.lockState == .locked)
        _ = try device.unlock(presenting: owner, at: instant(4))
        #expect(device.state.lockState == .unlocked)
        #expect(openClasses(device).count == ProtectionClass.allCases.count)
        _ = try device.reboot(at: instant(0, boot: 2))
        #expect(throws: DeviceError.biometryUnavailable(.noToken)) {
            try device.unlock(presenting: owner, at: instant(1, boot: 2))
        }
        #expect(device.state.lockState == .beforeFirstUnlock)
    }

    @Test(.requirement("BIO-02"))
    func `that unlocked is reused in that unlocking alone`() throws {
        var device = try ownedDevice(storage)
        #expect(try device.reuseMatch(within: .seconds(60), at: instant(2)) == nil)
        _ = try device.lock(at: instant(2))
        _ = try device.unlock(presenting: owner, at: instant(3))
        let reused = try device.reuseMatch(within: .seconds(10), at: instant(13))
        #expect(reused?.factors == [.biometry, .currentBiometry])
        #expect(try device.reuseMatch(within: .seconds(10), at: instant(14)) == nil)
        #expect(try device.reuseMatch(within: .zero, at: instant(3)) == nil)
        _ = try device.lock(at: instant(4))
        #expect(try device.reuseMatch(within: .seconds(60), at: instant(5)) == nil)
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(5))
        #expect(try device.reuseMatch(within: .seconds(60), at: instant(6)) == nil)
    }

    @Test func `is one of 16 at most, and none twice`() throws {
        let device = try ownedDevice(storage)
        #expect(throws: DeviceError.self) { try device.enroll(owner) }
        #expect(throws: DeviceError.self) { try device.removeEnrolment([9]) }
        for number in 1...15 { try device.enroll([UInt8(number)]) }
        #expect(throws: DeviceError.self) { try device.enroll([16]) }
        #expect(try device.element.enrolments()?.templates.count == 16)
        let bytes = try #require(storage.read(.secureElement))
        let again = try openDevice(storage)
        #expect(try again.element.enrolments()?.templates.count == 16)
        #expect(bytes.firstRange(of: owner) == nil)
    }

    @Test func `is known to no other device`() throws {
        let device = try ownedDevice()
        let other = try ownedDevice(seed: 2)
        let templates = try device.element.enrolments()?.templates
        #expect(try other.element.enrolments()?.templates != templates)
        #expect(try other.enrolmentState() != device.enrolmentState())
    }

    @Test(.requirement("BIO-14"))
    func `changes the state of the enrolment, and nothing else does`() throws {
        var device = try ownedDevice(storage)
        let state = try device.enrolmentState()
        let first = try #require(state)
        for _ in 1...5 { _ = stranger(&device) }
        _ = try device.setPasscode(
            passcode("5678").secret,
            current: passcode("1234"),
            at: instant(3)
        )
        _ = try device.reboot(at: instant(0, boot: 2))
        #expect(try device.enrolmentState() == first)
        try device.enroll([1])
        #expect(try device.enrolmentState() != first)
    }

    @Test func `in a reader's list is taken over, and a new order is no change`() throws {
        let device = try openDevice(storage, creatingWith: passcode("1234"))
        #expect(try device.isEnrolmentUntouched() == true)
        try device.adoptEnrolments([[1], [2]])
        let state = try device.enrolmentState()
        try device.adoptEnrolments([[2], [1]])
        #expect(try device.enrolmentState() == state)
        try device.adoptEnrolments([[2], [1], [3]])
        #expect(try device.enrolmentState() != state)
        try device.adoptEnrolments([])
        #expect(try device.enrolmentState() == nil)
        #expect(try device.isEnrolmentUntouched() == false)
    }
}

@Suite struct `The unlock token` {
    @Test func `holds nothing in the clear, and opens with its nonce alone`() throws {
        let device = try ownedDevice()
        let made = device.unlockToken
        let token = try #require(made)
        #expect(Set(token.proofKeys.keys) == [.biometry, .companion])
        #expect(token.classKeys.keys.allSatisfy { $0.availability == .whenUnlocked })
        #expect(token.proofKeys.values.allSatisfy { $0.count == 40 })
        let key = try device.keybag.release(.biometry, from: token)
        let bytes = try #require(key).secret.copyBytesUnprotected()
        #expect(token.proofKeys.values.allSatisfy { $0.firstRange(of: bytes) == nil })
        #expect(try device.keybag.release(.passcode, from: token) == nil)
        let others = SharedSecret(Secret(copying: [UInt8](repeating: 1, count: 32)))
        let forged = UnlockToken(
            nonce: others,
            proofKeys: token.proofKeys,
            classKeys: token.classKeys
        )
        #expect(throws: DeviceError.self) {
            try device.keybag.release(.biometry, from: forged)
        }
    }

    @Test func `of another device opens nothing`() throws {
        let device = try ownedDevice()
        let other = try ownedDevice(seed: 2)
        let made = other.unlockToken
        let token = try #require(made)
        #expect(throws: DeviceError.self) {
            try device.keybag.release(.biometry, from: token)
        }
    }

    @Test(arguments: ["restart", "removal", "erase"])
    func `is gone after a restart and with the passcode`(event: String) throws {
        var device = try ownedDevice()
        switch event {
        case "restart": _ = try device.reboot(at: instant(0, boot: 2))
        case "removal":
            _ = try device.removePasscode(current: passcode("1234").secret, at: instant(2))
        default: _ = try device.erase(at: instant(2))
        }
        #expect(device.unlockToken == nil)
        #expect(throws: DeviceError.self) {
            try device.prove(presenting: owner, at: instant(3, boot: 2))
        }
    }
}

@Suite struct `A proof` {
    @Test func `holds what was merged into it and not forgotten`() throws {
        var device = try ownedDevice()
        var proof = Proof()
        #expect(proof.factors.isEmpty)
        proof.merge(try Credential.match.proof(on: &device))
        proof.merge(try Credential.passcode.proof(on: &device))
        #expect(proof.factors == [.biometry, .currentBiometry, .passcode])
        proof.forget(.biometry)
        #expect(proof.factors == [.currentBiometry, .passcode])
        #expect(!"\(proof)".contains("5A"))
    }

    @Test func `by passcode leaves the lock state, and counts`() throws {
        var device = try ownedDevice()
        _ = try device.lock(at: instant(2))
        #expect(throws: DeviceError.self) {
            try device.prove(passcode: passcode("0000").secret, at: instant(3))
        }
        #expect(try device.attemptStatus(at: instant(3)).failures == 1)
        let proof = try device.prove(passcode: passcode("1234").secret, at: instant(4))
        #expect(proof.factors == [.passcode])
        #expect(device.state.lockState == .locked)
        #expect(try device.attemptStatus(at: instant(4)).failures == 0)
    }
}
