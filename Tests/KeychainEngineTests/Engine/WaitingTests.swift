import EngineTestSupport
import Foundation
import KeychainModel
import ModelTestSupport
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

/// A place where a thread waits until the test lets it go on.
private final class Checkpoint: Sendable {
    private let arrival = DispatchSemaphore(value: 0)
    private let departure = DispatchSemaphore(value: 0)
    private let isShut = Atomic(false)

    /// Whoever passes from now on waits.
    func shut() { isShut.store(true, ordering: .sequentiallyConsistent) }

    /// Whoever passes from now on goes on; who waits already does not.
    func open() { isShut.store(false, ordering: .sequentiallyConsistent) }

    func pass() {
        guard isShut.load(ordering: .sequentiallyConsistent) else { return }
        arrival.signal()
        departure.wait()
    }

    func awaitArrival() { arrival.wait() }

    /// Lets one who waits go on.
    func release() { departure.signal() }
}

/// A call on a thread of its own.
private final class ThreadCall: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let status = Mutex<SecurityStatus?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            var found = SecurityStatus.success
            do { try body() } catch { found = (error as? KeychainError)?.status ?? .internal }
            status.withLock { $0 = found }
            done.signal()
        }
    }

    /// Waits for the end of the call; nil if it does not come within half a minute.
    func outcome() -> SecurityStatus? {
        guard done.wait(timeout: .now() + 300) == .success else { return nil }
        return status.withLock { $0 }
    }
}

@Suite struct `While a passcode is being stretched` {
    private let checkpoint: Checkpoint
    private let fixture: EngineFixture

    init() throws {
        let checkpoint = Checkpoint()
        fixture = try EngineFixture(stretching: { checkpoint.pass() })
        self.checkpoint = checkpoint
        try fixture.unlock()
        let item = password("ada", [.accessible: .string(.afterFirstUnlock)])
        #expect(fixture.keychain.add(item, "value") == .success)
        try fixture.engine.lock()
        checkpoint.shut()
    }

    private func unlocking(_ passcode: String = EngineFixture.passcode) -> ThreadCall {
        let fixture = fixture
        return ThreadCall { try fixture.unlock(passcode) }
    }

    @Test(.requirement("SIM-02"), .timeLimit(.minutes(10)))
    func `searches go on`() throws {
        let unlocking = unlocking()
        checkpoint.awaitArrival()
        let fixture = fixture
        let searching = ThreadCall {
            guard fixture.keychain.read(password()) == .value("value") else {
                throw KeychainError(.itemNotFound, "test")
            }
        }
        #expect(searching.outcome() == .success)
        #expect(try fixture.engine.lockState().state == .locked)
        checkpoint.release()
        #expect(unlocking.outcome() == .success)
        #expect(try fixture.engine.lockState().state == .unlocked)
    }

    @Test(.requirement("SIM-09"), .timeLimit(.minutes(10)))
    func `the attempt is counted already, and another one after it`() throws {
        let first = unlocking("wrong")
        checkpoint.awaitArrival()
        #expect(try failures() == 1)
        let second = unlocking("wrong")
        checkpoint.release()
        #expect(first.outcome() == .authFailed)
        checkpoint.awaitArrival()
        #expect(try failures() == 2)
        checkpoint.release()
        #expect(second.outcome() == .authFailed)
        #expect(try failures() == 2)
    }

    @Test(.requirement("SIM-09"), .timeLimit(.minutes(10)))
    func `right passcodes that are tried at the same time all unlock`() throws {
        let calls = (0..<8).map { _ in unlocking() }
        for _ in calls {
            checkpoint.awaitArrival()
            #expect(try failures() == 1)
            checkpoint.release()
        }
        #expect(calls.map { $0.outcome() } == Array(repeating: .success, count: 8))
        #expect(try failures() == 0)
    }

    @Test(.requirement("SIM-09"), .timeLimit(.minutes(10)))
    func `wrong passcodes that are tried at the same time are counted one by one`() throws {
        let calls = (0..<8).map { _ in unlocking("wrong") }
        for count in 1...5 as ClosedRange<UInt32> {
            checkpoint.awaitArrival()
            #expect(try failures() == count)
            checkpoint.release()
        }
        // The others have to wait a minute, and are not counted.
        let outcomes = calls.map { $0.outcome() }
        #expect(outcomes.count { $0 == .authFailed } >= 5)
        #expect(!outcomes.contains(.success) && !outcomes.contains(nil))
        #expect(try failures() == 5)
    }

    private static func change(_ fixture: EngineFixture) throws {
        try fixture.engine.setPasscode(
            EngineFixture.secret("new"),
            current: EngineFixture.secret(EngineFixture.passcode)
        )
    }

    private static func remove(_ fixture: EngineFixture) throws {
        try fixture.engine.removePasscode(current: EngineFixture.secret(EngineFixture.passcode))
    }

    /// The present passcode is stretched, and then the new one, if there is one.
    private static let changes:
        [(failures: [UInt32], make: @Sendable (EngineFixture) throws -> Void)] = [
            ([1, 0], change), ([1], remove),
        ]

    @Test(.requirement("SIM-09"), .timeLimit(.minutes(10)), arguments: [0, 1])
    func `to set or remove one, searches go on, and the attempt is counted`(index: Int) throws {
        let (failuresSeen, change) = Self.changes[index]
        let fixture = fixture
        let changing = ThreadCall { try change(fixture) }
        for count in failuresSeen {
            checkpoint.awaitArrival()
            #expect(try failures() == count)
            let searching = ThreadCall {
                guard fixture.keychain.read(password()) == .value("value") else {
                    throw KeychainError(.itemNotFound, "test")
                }
            }
            #expect(searching.outcome() == .success)
            checkpoint.release()
        }
        #expect(changing.outcome() == .success)
        #expect(try failures() == 0)
        #expect(fixture.keychain.read(password()) == .value("value"))
    }

    @Test(.requirement("SIM-09"), .timeLimit(.minutes(10)))
    func `a change is made anew when another one overtakes it, which its passcode does not open`()
        throws
    {
        let fixture = fixture
        let late = ThreadCall { try Self.change(fixture) }
        checkpoint.awaitArrival()
        checkpoint.release()
        checkpoint.awaitArrival()
        checkpoint.open()
        let changing = ThreadCall {
            try fixture.engine.setPasscode(
                EngineFixture.secret("sooner"),
                current: EngineFixture.secret(EngineFixture.passcode)
            )
        }
        #expect(changing.outcome() == .success)
        checkpoint.release()
        #expect(late.outcome() == .authFailed)
        #expect(try failures() == 1)
        try fixture.unlock("sooner")
    }

    @Test(.requirement("LCK-01"), .timeLimit(.minutes(10)))
    func `a lock refuses the change that it overtakes`() throws {
        let fixture = fixture
        let changing = ThreadCall { try Self.change(fixture) }
        checkpoint.awaitArrival()
        checkpoint.release()
        checkpoint.awaitArrival()
        try fixture.engine.lock()
        checkpoint.release()
        #expect(changing.outcome() == .interactionNotAllowed)
        checkpoint.open()
        try fixture.unlock()
    }

    private func failures() throws -> UInt32 {
        try fixture.inside { state throws(KeychainError) in
            try state.session.attemptStatus().failures
        }
    }
}

@Suite struct `A look at what is around the device` {
    /// An engine that is called on another thread each time it looks around; how often, and how
    /// often such a call came back.
    private final class Looks: Sendable {
        let engine = Mutex<Engine?>(nil)
        let count = Atomic(0)
        let answered = Atomic(0)

        func look() {
            count.add(1, ordering: .relaxed)
            guard let engine = engine.withLock({ $0 }) else { return }
            let call = ThreadCall { _ = try engine.lockState() }
            if call.outcome() == .success { answered.add(1, ordering: .relaxed) }
        }
    }

    private let looks: Looks
    private let fixture: EngineFixture

    init() throws {
        let looks = Looks()
        fixture = try EngineFixture(
            surroundings: Surroundings(biometry: .faceID, hasCompanion: true),
            looking: { looks.look() }
        )
        self.looks = looks
        try fixture.engine.enroll(OwnerPrompter.face)
        try fixture.unlock()
        looks.engine.withLock { $0 = fixture.engine }
        looks.count.store(0, ordering: .relaxed)
    }

    /// How often a call looked; every look could use the engine meanwhile.
    private func looks(_ call: () throws -> Void) rethrows -> Int {
        let before = looks.count.load(ordering: .relaxed)
        try call()
        let after = looks.count.load(ordering: .relaxed)
        #expect(looks.answered.load(ordering: .relaxed) == after)
        return after - before
    }

    /// How often a call looked that has this answer.
    private func looks<Answer: Equatable>(_ answer: Answer, _ call: () -> Answer) -> Int {
        looks {
            let given = call()
            #expect(given == answer)
        }
    }

    @Test(.requirement("BIO-01"), .timeLimit(.minutes(10)))
    func `is taken with no lock held`() throws {
        let keychain = fixture.attended()
        let item = password().gated(.biometryAny)
        #expect(looks(.success) { keychain.add(item, "value") } > 0)
        #expect(looks(.value("value")) { keychain.read(password()) } > 0)
        let isStatus = try looks { _ = try keychain.endpoint.send(.authenticate(.biometryStatus)) }
        #expect(isStatus > 0)
        let passcode = EngineFixture.secret(EngineFixture.passcode)
        #expect(try looks { try fixture.engine.unlock(passcode: passcode) } == 1)
        #expect(try looks { try fixture.engine.setPasscode(passcode, current: passcode) } == 1)
    }

    @Test func `is not taken for an item that everybody may open`() {
        let keychain = fixture.attended()
        #expect(looks(.success) { keychain.add(password(), "value") } == 0)
        #expect(looks(.value("value")) { keychain.read(password()) } == 0)
        #expect(looks(.success) { keychain.update(password(), "new") } == 0)
        #expect(looks(.success) { keychain.delete(password()) } == 0)
    }
}
