import DataProtection
import EngineTestSupport
import KeychainEngine
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `A process that stays` {
    @Test(.requirement("LCK-09")) func `locks when nobody used the keychain`() throws {
        let fixture = try fixture(LockSettings(idleSeconds: 60))
        #expect(try fixture.engine.lockIfDue() == .seconds(60))
        fixture.clock.advance(seconds: 59)
        #expect(try fixture.engine.lockIfDue() == .seconds(1))
        fixture.clock.advance(seconds: 1)
        #expect(try fixture.engine.lockIfDue() == nil)
        #expect(try fixture.engine.lockFacts().state == .locked)
    }

    @Test(.requirement("LCK-09")) func `counts use, and looks at it without counting`() throws {
        let fixture = try fixture(LockSettings(idleSeconds: 60))
        fixture.clock.advance(seconds: 30)
        _ = try fixture.engine.lockState()
        fixture.clock.advance(seconds: 20)
        #expect(try fixture.engine.lockIfDue() == .seconds(40))
        fixture.clock.advance(seconds: 20)
        #expect(try fixture.engine.lockIfDue() == .seconds(20))
    }

    @Test(.requirement("LCK-09")) func `locks when a grace period is over`() throws {
        let fixture = try EngineFixture.unlocked()
        try fixture.engine.lock(grace: .seconds(10))
        #expect(try fixture.engine.lockIfDue() == .seconds(10))
        fixture.clock.advance(seconds: 10)
        #expect(try fixture.engine.lockIfDue() == nil)
        #expect(try !fixture.engine.lockState().isAvailable)
    }

    @Test(.requirement("LCK-09")) func `waits for nothing where no time locks`() throws {
        let fixture = try fixture(LockSettings(onSleep: true, onLogout: true))
        #expect(try fixture.engine.lockIfDue() == nil)
        #expect(try fixture.engine.lockFacts().state == .unlocked)
    }

    @Test(.requirement("LCK-09")) func `forgets the first unlock`() throws {
        let fixture = try EngineFixture.unlocked()
        fixture.keychain.add(
            .of(
                .genericPassword,
                [.account: .string("ada"), .accessible: .string(.afterFirstUnlock)]
            )
        )
        try fixture.engine.forgetFirstUnlock()
        #expect(try fixture.engine.lockState().state == .beforeFirstUnlock)
        let reading = fixture.keychain
            .read(.of(.genericPassword, [.account: .string("ada")]))
        #expect(reading == Reading(.interactionNotAllowed, nil))
        // A lock on purpose: no source of a passcode opens it but a person.
        #expect(try fixture.engine.attemptsBeforeFirstUnlock() == nil)
    }

    private func fixture(_ settings: LockSettings) throws -> EngineFixture {
        let fixture = try EngineFixture.unlocked()
        #expect(fixture.keychain.status(.device(.setLockSettings(settings))) == .success)
        return fixture
    }
}
