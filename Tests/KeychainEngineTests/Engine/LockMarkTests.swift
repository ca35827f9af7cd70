import DataProtection
import EngineTestSupport
import Foundation
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

@Suite(.requirement("HRD-05")) struct `A lock while somebody is with the engine` {
    private let fixture: EngineFixture

    init() throws {
        fixture = try EngineFixture.unlocked()
        fixture.keychain.add(.of(.genericPassword, [.account: .string("ada")]))
    }

    private var query: AttributeDictionary {
        .of(.genericPassword, [.account: .string("ada")])
    }

    @Test func `is carried out by whoever leaves it`() throws {
        let outcomes = Mutex<[String]>([])
        try fixture.engine.enter { state throws(KeychainError) in
            fixture.engine.markLock(.ifOpened) { outcome in
                outcomes.withLock { $0.append("\(outcome)") }
            }
            // Nobody waits, and nothing is told while the engine is held.
            #expect(!fixture.engine.carryOutIfFree())
            #expect(outcomes.withLock { $0 }.isEmpty)
            #expect(state.session.device.state.lockState == .unlocked)
        }
        #expect(outcomes.withLock { $0 } == ["locked"])
        #expect(try fixture.engine.lockState().state == .locked)
    }

    @Test func `that a program asks for is recorded and answered without waiting for it`() throws {
        let lock = Request.device(.lock)
        try fixture.engine.enter { state throws(KeychainError) in
            let reply = Mutex<Reply?>(nil)
            let isAnswered = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [fixture] in
                let found = try? fixture.engine.perform(lock, from: TestKeychain.caller([]))
                reply.withLock { $0 = found }
                isAnswered.signal()
            }
            isAnswered.wait()
            guard case .device(.changed)? = reply.withLock({ $0 }) else {
                Issue.record("no reply")
                return
            }
            // The call that holds the engine has the keys until it gives up.
            #expect(state.session.device.state.lockState == .unlocked)
        }
        #expect(fixture.keychain.read(query).status == .interactionNotAllowed)
    }

    @Test func `keeps what was opened from being returned`() throws {
        let engine = fixture.engine
        let request = Request.items(.copyMatching(query))
        let rounds = Mutex(0)
        let refusal = failure {
            try engine.unlessLocked(request) { () throws(KeychainError) in
                rounds.withLock { $0 += 1 }
                if rounds.withLock({ $0 }) == 1 { engine.markLock(.always) }
                return .items(.result(.nothing))
            }
        }
        #expect(refusal == nil)
        // It was made again, and what came of that was returned.
        #expect(rounds.withLock { $0 } == 2)
    }

    @Test func `keeps a portion that cannot be made again from being returned`() throws {
        let engine = fixture.engine
        let refusal = failure {
            try engine.unlessLocked(.maintenance(.next(WorkID()))) { () throws(KeychainError) in
                engine.markLock(.always)
                return .items(.result(.nothing))
            }
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
    }

    @Test func `undoes what is not committed, and keeps what is`() throws {
        let engine = fixture.engine
        let refusal = failure {
            try engine.enter { state throws(KeychainError) in
                try state.vault.inTransaction(&state.session) { vault, _ throws(KeychainError) in
                    engine.markLock(.always)
                    _ = try vault.store.rows(.everything, withSecrets: true)
                }
            }
        }
        #expect((refusal as? KeychainError)?.status == .interactionNotAllowed)
        #expect(try engine.lockState().state == .locked)
        try fixture.unlock()
        #expect(fixture.keychain.read(query).status == .success)
    }

    @Test func `locks what was never unlocked only if it is meant`() throws {
        let other = try EngineFixture()
        let outcomes = Mutex<[String]>([])
        other.engine.markLock(.ifOpened) { outcome in
            outcomes.withLock { $0.append("\(outcome)") }
        }
        other.engine.carryOutLocks()
        #expect(outcomes.withLock { $0 } == ["nothing"])
        #expect(try other.engine.lockState().state == .beforeFirstUnlock)
    }

    @Test func `by time is decided by the latest use`() throws {
        let engine = fixture.engine
        _ = fixture.keychain.status(.device(.setLockSettings(LockSettings(idleSeconds: 60))))
        #expect(engine.timeToLock() == .seconds(60))
        fixture.clock.advance(seconds: 59)
        #expect(engine.timeToLock() == .seconds(1))
        engine.markLock(.ifDue)
        engine.carryOutLocks()
        #expect(engine.lockFactsNow()?.state == .unlocked)
        fixture.clock.advance(seconds: 2)
        engine.markLock(.ifDue)
        engine.carryOutLocks()
        #expect(engine.lockFactsNow()?.state == .locked)
    }
}
