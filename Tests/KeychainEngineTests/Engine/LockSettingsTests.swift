import DataProtection
import EngineTestSupport
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `An engine with an idle limit` {
    @Test(.requirement("LCK-09"), arguments: [(59.0, true), (60.0, false), (3600.0, false)])
    func `refuses the first search after it`(seconds: Double, isServed: Bool) throws {
        let home = try TestHome()
        try home.home.prepareDatabase()
        let fixture = try EngineFixture(database: home.home.database)
        try fixture.unlock()
        #expect(fixture.keychain.add(password("ada"), "value") == .success)
        let instant = fixture.clock.instant
        try fixture.inside { state throws(KeychainError) in
            _ = try fromDevice(
                try state.session.device.setLockSettings(LockSettings(idleSeconds: 60), at: instant)
            )
        }
        // Twice: a search that shares the state comes after one that had it for itself.
        #expect(fixture.keychain.read(password("ada")).status == .success)
        #expect(fixture.keychain.read(password("ada")).status == .success)
        fixture.clock.advance(seconds: seconds)
        let expected: SecurityStatus = isServed ? .success : .interactionNotAllowed
        #expect(fixture.keychain.read(password("ada")).status == expected)
        #expect(try fixture.engine.lockState().isAvailable == isServed)
    }
}
