import DataProtection
import Dispatch
import EngineTestSupport
import Foundation
import KeychainDaemon
import KeychainEngine
import KeychainModel
import LoginEvents
import TestSupport
import Testing

/// Two accounts, and a thread that is with the engine of one for as long as the test wants.
@Suite(.requirement("HRD-05")) struct `Locks for all accounts, while one account's engine is busy` {
    private let own: EngineFixture
    private let busy: EngineFixture
    private let reasons = Notes()
    private let notes = Notes()
    private let locks: KeychainLocks
    private let isHeld = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    init() throws {
        let (own, busy) = (try EngineFixture.unlocked(), try EngineFixture.unlocked())
        (self.own, self.busy) = (own, busy)
        let (reasons, notes) = (reasons, notes)
        for fixture in [own, busy] {
            let settings = LockSettings(idleSeconds: 60, onSleep: true, onLogout: true)
            _ = fixture.keychain.status(.device(.setLockSettings(settings)))
        }
        locks = KeychainLocks(
            companions: .verified,
            keychains: { [1000: own.engine, 1001: busy.engine] },
            note: { text in notes.append(text) },
            locked: { account, why in reasons.append("\(account): \(why)") }
        )
        let (isHeld, isOver) = (isHeld, isOver)
        Thread.detachNewThread {
            try? busy.engine.enter { _ in
                isHeld.signal()
                isOver.wait()
            }
        }
        isHeld.wait()
    }

    @Test(arguments: [LoginEffect.lockBeforeSleep, .lock(1000), .loggedOut(1000)])
    func `are carried out for the others`(effect: LoginEffect) throws {
        locks.perform(effect)
        reasons.wait(for: "1000: ")
        #expect(try own.engine.lockState().state != .unlocked)
        isOver.signal()
    }

    @Test func `are carried out for that one when it is free`() throws {
        locks.perform(.lockBeforeSleep)
        reasons.wait(for: "1000: ")
        #expect(reasons.all.allSatisfy { !$0.hasPrefix("1001") })
        isOver.signal()
        reasons.wait(for: "1001: the machine goes to sleep")
        #expect(try busy.engine.lockState().state == .locked)
    }

    @Test func `by time are carried out for the others`() throws {
        own.clock.advance(seconds: 61)
        busy.clock.advance(seconds: 61)
        _ = locks.lockWhatIsDue()
        // Asked once, however often somebody looks.
        _ = locks.lockWhatIsDue()
        notes.wait(for: "locked the keychain of account 1000, because its time had come")
        isOver.signal()
        notes.wait(for: "locked the keychain of account 1001, because its time had come")
        #expect(notes.all.count == 2)
        // The engine itself says why it locked by time, and that makes the line of the log.
        #expect(reasons.all.isEmpty)
    }
}
