import ApplicationShim
import Foundation
import KeychainMigration
import KeychainServices
import Synchronization
import TestSupport
import Testing

/// Protected data that a test opens and closes, with announcements of its own.
private final class ManualProtectedData: ProtectedData {
    private let name = Notification.Name("protectedData-" + UUID().uuidString)
    private let isOpen = Mutex(false)
    private let askings = Mutex(0)
    /// Called after each look at the state, before the answer is used.
    private let afterLook: @Sendable (ManualProtectedData, Int) -> Void

    init(afterLook: @escaping @Sendable (ManualProtectedData, Int) -> Void = { _, _ in }) {
        self.afterLook = afterLook
    }

    var becameAvailable: Notification.Name? { name }
    var looks: Int { askings.withLock { $0 } }

    func isAvailable() async -> Bool {
        let answer = isOpen.withLock { $0 }
        let count = askings.withLock { count in
            count += 1
            return count
        }
        afterLook(self, count)
        return answer
    }

    func open() {
        isOpen.withLock { $0 = true }
        announce()
    }

    func close() { isOpen.withLock { $0 = false } }
    func announce() { NotificationCenter.default.post(name: name, object: nil) }
}

@Suite struct `Waiting for protected data` {
    @Test func `ends at once where it is there`() async throws {
        let protectedData = ManualProtectedData()
        protectedData.open()
        try await protectedData.wait()
        #expect(protectedData.looks == 1)
    }

    @Test(.requirement("MIG-24"), arguments: [1, 2])
    func `loses no announcement that comes right after a look`(look: Int) async throws {
        // The data becomes available after its state was read and before the answer is used.
        let protectedData = ManualProtectedData { protectedData, count in
            if count == look { protectedData.open() }
        }
        try await protectedData.wait()
        #expect(protectedData.looks <= 3)
    }

    @Test(.requirement("MIG-24"))
    func `goes on over an announcement that is not true, and resumes once`() async throws {
        let protectedData = ManualProtectedData { protectedData, count in
            switch count {
            case 2...4: protectedData.announce()
            case 5: protectedData.open()
            default: break
            }
        }
        try await protectedData.wait()
        #expect(protectedData.looks >= 5)
        // Later cycles find nobody waiting: nothing is resumed twice.
        protectedData.close()
        protectedData.open()
        protectedData.close()
        protectedData.open()
    }

    @Test func `can be cancelled`() async throws {
        let started = AsyncStream<Void>.makeStream()
        let protectedData = ManualProtectedData { _, _ in started.continuation.yield() }
        let waiting = Task { try await protectedData.wait() }
        _ = await started.stream.first { true }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(.requirement("MIG-24"))
    func `lets a clean-up run exactly once over several lockings`() async throws {
        let phone = try Phone()
        try phone.app.run { try ServicesKeychain().add(.token(), "stale") }
        let suite = Suite()
        let guardian = FirstLaunchGuard(
            flags: LaunchFlags(suite.defaults, domain: suite.name),
            protectedData: phone.protectedData
        )
        phone.device.lock()
        let early = await phone.app.run { await guardian.run() }
        #expect(early == .deferred(reason: "protected data is unavailable"))
        #expect(!suite.defaults.bool(forKey: "keychain-migration.has-launched"))
        let waiting = phone.app.run { Task { try await guardian.runWhenAvailable() } }
        try phone.unlock()
        guard case .cleaned(let report) = try await waiting.value else {
            Issue.record("the clean-up did not run")
            return
        }
        #expect(report.outcomes == [.removed])
        try phone.app.run { try ServicesKeychain().add(.token(), "fresh") }
        phone.device.lock()
        try phone.unlock()
        phone.device.lock()
        try phone.unlock()
        #expect(await phone.app.run { await guardian.run() } == .launchedBefore)
        try phone.app.run { () throws in
            #expect(try ServicesKeychain().text(.token()) == "fresh")
        }
    }

    @Test func `asks the device of the running app`() async throws {
        let phone = try Phone()
        let other = try Phone()
        phone.device.lock()
        #expect(await phone.app.run { await SystemProtectedData().isAvailable() } == false)
        #expect(await other.app.run { await SystemProtectedData().isAvailable() })
        try phone.unlock()
        try await phone.app.run { try await SystemProtectedData().wait() }
    }
}

@Suite struct `An operation that met a locked item` {
    @Test(.requirement("ERR-17"))
    func `waits for the unlocking and then completes exactly once`() async throws {
        let phone = try Phone()
        try phone.app.run {
            try ServicesKeychain().add(.token(), "secret", accessibility: .whenUnlocked)
        }
        phone.device.lock()
        let attempts = AsyncStream<Int32>.makeStream()
        let data = phone.protectedData
        let waiting = phone.app.run {
            Task {
                try await data.retrying { () throws(KeychainFailure) in
                    do throws(KeychainFailure) {
                        let item = try ServicesKeychain().read(.token())
                        attempts.continuation.yield(0)
                        return item
                    } catch {
                        attempts.continuation.yield(error.status)
                        throw error
                    }
                }
            }
        }
        var statuses = attempts.stream.makeAsyncIterator()
        #expect(await statuses.next() == -25308)
        try phone.unlock()
        #expect(try await waiting.value?.value?.text == "secret")
        attempts.continuation.finish()
        var successes = 0
        while let status = await statuses.next() { successes += status == 0 ? 1 : 0 }
        #expect(successes == 1)
    }

    @Test(.requirement("ERR-17"))
    func `can be cancelled while it waits`() async throws {
        let phone = try Phone()
        phone.device.lock()
        let attempted = AsyncStream<Void>.makeStream()
        let data = phone.protectedData
        let waiting = Task {
            try await data.retrying { () throws(KeychainFailure) -> Int in
                attempted.continuation.yield()
                throw KeychainFailure(.read, status: -25308)
            }
        }
        _ = await attempted.stream.first { true }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `fails for good where protected data is there all the same`() async throws {
        let failure = KeychainFailure(.read, status: -25308)
        await #expect(throws: failure) {
            try await AlwaysAvailable().retrying { () throws(KeychainFailure) -> Int in
                throw failure
            }
        }
    }

    @Test(arguments: [-25300, -34018, -50] as [Int32])
    func `is not repeated after another failure`(status: Int32) async throws {
        let count = Mutex(0)
        await #expect(throws: KeychainFailure(.read, status: status)) {
            try await AlwaysAvailable().retrying { () throws(KeychainFailure) -> Int in
                count.withLock { $0 += 1 }
                throw KeychainFailure(.read, status: status)
            }
        }
        #expect(count.withLock { $0 } == 1)
    }
}
