import DataProtection
import EngineTestSupport
import Glibc
import KeychainEngine
import KeychainModel
import ModelTestSupport
import Secrets
import Synchronization
import TestSupport
import Testing

/// Two engines on one directory: to each other they are two processes.
@Suite struct `A keychain that two processes have open` {
    private static let passcode = EngineFixture.secret("1234")
    private let home: TestHome
    private let first: TestKeychain
    private let second: TestKeychain

    init() throws {
        home = try TestHome()
        first = try home.open()
        second = try home.open()
    }

    private var engines: [Engine] { [first.endpoint.engine, second.endpoint.engine] }

    @Test func `shows each the other's writes`() {
        #expect(first.add(password(), "one") == .success)
        #expect(second.read(password()) == .value("one"))
        #expect(second.add(password(), "two") == .duplicateItem)
        #expect(second.update(password(), "two") == .success)
        #expect(first.read(password()) == .value("two"))
        #expect(first.delete(password()) == .success)
        #expect(second.read(password()) == .notFound)
    }

    @Test func `is locked and unlocked for both`() throws {
        first.add(password())
        try engines[0].setPasscode(Self.passcode, current: nil)
        #expect(second.read(password()) == .value("open sesame"))
        try engines[0].lock()
        #expect(second.read(password()) == .notAllowed)
        #expect(try engines[1].lockState().state == .locked)
        try engines[1].unlock(passcode: Self.passcode)
        #expect(first.read(password()) == .value("open sesame"))
    }

    @Test func `follows a changed and a removed passcode in both`() throws {
        let new = EngineFixture.secret("5678")
        try engines[0].setPasscode(Self.passcode, current: nil)
        let gated = password("gated", [.accessible: .string(.whenPasscodeSetThisDeviceOnly)])
        #expect(second.add(gated) == .success)
        #expect(second.add(password()) == .success)
        try engines[1].setPasscode(new, current: Self.passcode)
        #expect(first.read(gated) == .value("open sesame"))
        try engines[0].lock()
        #expect(throws: KeychainError(.authFailed, "")) {
            try engines[1].unlock(passcode: Self.passcode)
        }
        try engines[1].unlock(passcode: new)
        try engines[0].removePasscode(current: new)
        #expect(try !engines[1].isPasscodeSet)
        #expect(second.read(gated) == .notFound)
        #expect(second.read(password()) == .value("open sesame"))
        #expect(second.add(gated) == .authFailed)
    }

    @Test func `opens for a third process as it is for the others`() throws {
        first.add(password())
        try engines[0].setPasscode(Self.passcode, current: nil)
        #expect(try home.open().read(password()) == .value("open sesame"))
        try engines[1].lock()
        #expect(try home.open().read(password()) == .notAllowed)
        let always = password("always", [.accessible: .string(.always)])
        #expect(try home.open().add(always) == .success)
    }

    @Test func `is closed to who finds a damaged session`() throws {
        first.add(password())
        try engines[0].setPasscode(Self.passcode, current: nil)
        let path = try #require(home.sessionImages.first)
        let good = try home.read(path)
        let opening = try stride(from: 0, to: good.count, by: 7).filter { place in
            var bytes = good
            bytes[place] ^= 0x10
            try home.write(bytes, to: path)
            let third = try home.open()
            let isClosed = third.read(password()) == .notAllowed
            let state = try third.endpoint.engine.lockState().state
            return !isClosed || state != .beforeFirstUnlock
        }
        #expect(opening == [])
        try home.write(good, to: path)
        #expect(try home.open().read(password()) == .value("open sesame"))
    }

    @Test func `is erased for both`() throws {
        first.add(password())
        _ = second.read(password())
        try engines[0].erase()
        #expect(second.read(password()) == .notFound)
        #expect(second.add(password(), "new") == .success)
        #expect(first.read(password()) == .value("new"))
    }
}

@Suite struct `An unlock session` {
    private let storage = MemoryStorage()
    private let session = MemorySession()

    @Test func `is taken over within one boot`() throws {
        let first = try EngineFixture(storage: storage, session: session)
        try first.unlock()
        let second = try EngineFixture(storage: storage, session: session)
        #expect(try second.engine.lockState().state == .unlocked)
    }

    @Test func `of another boot is none`() throws {
        let first = try EngineFixture(storage: storage, session: session)
        try first.unlock()
        let second = try EngineFixture(storage: storage, session: session, boot: 2)
        #expect(try second.engine.lockState().state == .beforeFirstUnlock)
        #expect(second.keychain.add(password()) == .interactionNotAllowed)
    }

    @Test(.requirement("OPS-03"))
    func `that nobody began leaves the keychain closed, and the refusal says how to open it`()
        throws
    {
        let fixture = try EngineFixture(storage: storage, session: session)
        #expect(fixture.keychain.read(password()) == .notFound)
        try fixture.unlock()
        #expect(fixture.keychain.add(password()) == .success)
        session.all = [:]
        let started = try EngineFixture(storage: storage, database: nil, session: session)
        #expect(started.keychain.add(password()) == .interactionNotAllowed)
        let finding = try #require(started.findings.all.last)
        #expect(finding.status == SecurityStatus.interactionNotAllowed.rawValue)
        #expect(finding.sentence.contains("has not been unlocked since it started"))
        #expect(finding.sentence.contains("keychainctl unlock-keychain"))
        #expect(fixture.keychain.read(password()) == .notAllowed)
        let sentence = try #require(fixture.findings.all.last).sentence
        #expect(sentence.contains("the device is locked"))
    }

    @Test func `lasts to the end of its grace period, in every process`() throws {
        let first = try EngineFixture(storage: storage, session: session)
        try first.unlock()
        let second = try EngineFixture(storage: storage, session: session)
        try first.engine.lock(grace: .seconds(10))
        #expect(try second.engine.lockState().isAvailable)
        second.clock.advance(seconds: 11)
        #expect(try !second.engine.lockState().isAvailable)
    }
}
