import DataProtection
import EngineTestSupport
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

/// What is called while a passcode is stretched.
private final class HookBox: Sendable {
    private let hook = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ body: @escaping @Sendable () -> Void) { hook.withLock { $0 = body } }

    func call() { hook.withLock { $0 }?() }
}

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

    /// Stretching takes longer than the limit; somebody locks meanwhile, or nobody does.
    @Test(.requirement("LCK-09", "LCK-01"), arguments: [false, true])
    func `counts a change of passcode as use, unless somebody locks`(isLocked: Bool) throws {
        let box = HookBox()
        let fixture = try EngineFixture(stretching: { box.call() })
        try fixture.unlock()
        let instant = fixture.clock.instant
        try fixture.inside { state throws(KeychainError) in
            _ = try fromDevice(
                try state.session.device.setLockSettings(LockSettings(idleSeconds: 1), at: instant)
            )
        }
        box.set {
            fixture.clock.advance(seconds: 2)
            if isLocked { try? fixture.engine.lock() }
        }
        let change = {
            try fixture.engine.setPasscode(
                EngineFixture.secret("new"),
                current: EngineFixture.secret(EngineFixture.passcode)
            )
        }
        if isLocked {
            let refusal = #expect(throws: KeychainError.self) { try change() }
            #expect(refusal?.status == .interactionNotAllowed)
        } else {
            try change()
        }
        try fixture.unlock(isLocked ? EngineFixture.passcode : "new")
    }
}
