import Cryptography
import Dispatch
import Foundation
import Glibc
import KeychainMessages
import KeychainModel
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

@Suite(.requirement("HRD-07")) struct `A pool for passcodes` {
    private static let cost = Argon2id.Cost(memoryKiB: 1024, passes: 1, lanes: 1)

    /// Who got a place, in order.
    private final class Order: Sendable {
        private let persons = Mutex<[UInt32]>([])
        var all: [UInt32] { persons.withLock(\.self) }
        func append(_ person: UInt32) { persons.withLock { $0.append(person) } }
    }

    private static func pool(waiting: Int = 64) -> StretchingPool {
        var budget = StretchingBudget(processors: 2)
        budget.memoryKiB = 4096
        budget.memoryKiBPerPerson = 2048
        budget.waitingPerPerson = waiting
        return StretchingPool(budget)
    }

    /// Takes a place on a thread of its own, and tells when it has it.
    private static func take(
        _ pool: StretchingPool,
        for person: UInt32,
        _ done: @escaping @Sendable () -> Void
    ) {
        Thread.detachNewThread {
            let place = try? pool.place(cost, for: person)
            done()
            withExtendedLifetime(place) {}
        }
    }

    private static func waitUntil(_ pool: StretchingPool, has count: Int) {
        while pool.waitingCount < count { sched_yield() }
    }

    @Test func `lets a person have all but one of the threads, and somebody else that one`() throws
    {
        let pool = Self.pool()
        var first: StretchingPlace? = try pool.place(Self.cost, for: 1)
        // The second of the same person waits, and the other person's does not.
        let isDone = DispatchSemaphore(value: 0)
        Self.take(pool, for: 1) { isDone.signal() }
        Self.waitUntil(pool, has: 1)
        _ = try pool.place(Self.cost, for: 2)
        #expect(pool.waitingCount == 1)
        first = nil
        isDone.wait()
        #expect(first == nil)
    }

    @Test func `lets whoever had a turn the longest ago go next`() throws {
        var budget = StretchingBudget(processors: 2)
        (budget.threads, budget.threadsPerPerson) = (1, 1)
        let pool = StretchingPool(budget)
        var first: StretchingPlace? = try pool.place(Self.cost, for: 1)
        let order = Order()
        let isDone = DispatchSemaphore(value: 0)
        [UInt32(1), 1, 2].enumerated().forEach { index, person in
            Self.take(pool, for: person) {
                order.append(person)
                isDone.signal()
            }
            Self.waitUntil(pool, has: index + 1)
        }
        first = nil
        (0..<3).forEach { _ in isDone.wait() }
        #expect(first == nil)
        #expect(order.all.first == 2)
    }

    @Test func `refuses a call beyond those that may wait`() throws {
        let pool = Self.pool(waiting: 0)
        let refusal = failure { try pool.place(Self.cost, for: 1) }
        #expect((refusal as? KeychainError)?.status == .allocate)
    }

    @Test func `is left by whoever waits for a client that is gone`() throws {
        let pool = Self.pool()
        let held = try pool.place(Self.cost, for: 1)
        let refusal = WaitingClient.$look.withValue(.init { false }) {
            failure { try pool.place(Self.cost, for: 1) }
        }
        #expect((refusal as? KeychainError)?.status == .userCanceled)
        #expect(pool.waitingCount == 0)
        withExtendedLifetime(held) {}
    }

    /// MiB of memory and passes, and whether a device that would choose 64 MiB and 6 passes
    /// believes them.
    private static let costs: [(memory: UInt32, passes: UInt32, isBelieved: Bool)] = [
        (memory: 64, passes: 3, isBelieved: true), (memory: 256, passes: 6, isBelieved: true),
        (memory: 256, passes: 12, isBelieved: true), (memory: 256, passes: 13, isBelieved: false),
        (memory: 64, passes: 48, isBelieved: true), (memory: 64, passes: 49, isBelieved: false),
        (memory: 256, passes: 64, isBelieved: false),
    ]

    @Test(.requirement("HRD-08"), arguments: costs)
    func `believes eight times what the device would choose`(
        cost: (memory: UInt32, passes: UInt32, isBelieved: Bool)
    ) throws {
        var budget = StretchingBudget(processors: 2)
        budget.memoryKiB = 1 << 20
        let pool = StretchingPool(budget)
        let stated = Argon2id.Cost(memoryKiB: cost.memory << 10, passes: cost.passes, lanes: 1)
        let refusal = failure {
            try pool.believe(stated, for: 1) {
                Argon2id.Cost(memoryKiB: 64 << 10, passes: 6, lanes: 1)
            }
        }
        #expect((refusal == nil) == cost.isBelieved)
        guard let error = refusal as? KeychainError else { return }
        #expect(error.reason.contains("\(cost.memory * cost.passes) MiB"))
        #expect(error.reason.contains("3072 MiB"))
    }
}
