import CallerEvidence
import DataProtection
import EngineTestSupport
import KeychainDaemon
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

/// Serialized: each test has a message bus and a login service.
@Suite(.serialized) struct `A daemon that listens to logind` {
    private static let everything = LockSettings(onSleep: true, onLogout: true)

    @Test(.requirement("DMN-10"), .requirement("SIM-23"))
    func `has wiped the keys when the machine sleeps, every time`() throws {
        let daemon = try LoginDaemon(Self.everything)
        // The mock waits until nobody delays its sleep any more.
        try daemon.happen("sleep")
        #expect(try daemon.state == .locked)
        try daemon.happen("wake")
        try daemon.fixture.unlock()
        try daemon.happen("sleep")
        #expect(try daemon.state == .locked)
    }

    @Test(.requirement("DMN-10")) func `leaves sleep alone unless the settings ask`() throws {
        let daemon = try LoginDaemon(LockSettings())
        try daemon.happen("sleep")
        #expect(try daemon.state == .unlocked)
    }

    @Test(.requirement("DMN-10"), .requirement("SIM-24"))
    func `refuses items of a locked session`() throws {
        let daemon = try LoginDaemon(LockSettings())
        daemon.fixture.keychain.add(.of(.genericPassword, [.account: .string("ada")]))
        try daemon.happen("lock 1")
        daemon.notes.wait(for: "a session was locked")
        let reading = daemon.fixture.keychain
            .read(.of(.genericPassword, [.account: .string("ada")]))
        #expect(reading == Reading(.interactionNotAllowed, nil))
        try daemon.happen("unlock 1", "sleep")
        #expect(try daemon.state == .locked)
    }

    @Test(.requirement("DMN-10")) func `locks nothing for the session of another`() throws {
        let daemon = try LoginDaemon(LockSettings())
        try daemon.happen("begin 2 1001 user", "lock 2", "end 2", "sleep")
        #expect(try daemon.state == .unlocked)
    }

    @Test(.requirement("DMN-10")) func `locks with the last logout`() throws {
        let daemon = try LoginDaemon(LockSettings())
        try daemon.happen("begin 2 1000 user", "end 1", "end 2")
        daemon.notes.wait(for: "the last session ended")
        #expect(try daemon.state == .locked)
    }

    @Test(.requirement("DMN-13")) func `tells the account's log why it locked`() throws {
        let daemon = try LoginDaemon(Self.everything)
        try daemon.happen("lock 1")
        daemon.reasons.wait(for: "1000: a session was locked")
        try daemon.fixture.unlock()
        try daemon.happen("sleep")
        daemon.reasons.wait(for: "1000: the machine goes to sleep")
    }

    @Test(.requirement("DMN-10")) func `forgets first unlock where the settings ask`() throws {
        let daemon = try LoginDaemon(Self.everything)
        try daemon.happen("end 1")
        daemon.notes.wait(for: "the last session ended")
        #expect(try daemon.state == .beforeFirstUnlock)
    }

    @Test(.requirement("SIM-24")) func `unlocks nothing behind a locked screen`() throws {
        let daemon = try LoginDaemon(LockSettings())
        try daemon.happen("hint 1 on")
        daemon.notes.wait(for: "a session was locked")
        #expect(try daemon.state == .locked)
        let unlock = Request.device(.unlock(passcode: EngineFixture.secret("1234")))
        let refusal = failure {
            try daemon.locks.requireUnlockedScreen(for: unlock, from: caller(nil))
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
        try daemon.locks.requireUnlockedScreen(for: unlock, from: caller("keychain-pam"))
        try daemon.locks.requireUnlockedScreen(for: .device(.status), from: caller(nil))
        try daemon.happen("hint 1 off", "sleep")
        try daemon.locks.requireUnlockedScreen(for: unlock, from: caller(nil))
    }

    @Test func `knows the session in front`() throws {
        let daemon = try LoginDaemon(LockSettings(onSleep: true))
        try daemon.happen("begin 2 1000 user", "front 1 off", "sleep")
        #expect(daemon.locks.activeSessions(of: 1000) == ["2"])
    }

    private func caller(_ identifier: String?) -> JudgedCaller {
        JudgedCaller(
            evidence: Evidence(userID: 1000, processID: 1),
            level: .verified,
            reasons: [],
            name: "test",
            entitlements: Entitlements(applicationIdentifier: identifier)
        )
    }
}
