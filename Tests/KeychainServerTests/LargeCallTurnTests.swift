import Dispatch
import Glibc
import Synchronization
import Testing

@testable import KeychainServer

@Suite struct `Calls of one account whose replies may be large` {
    private struct Refusal: Error, Equatable {}

    /// How many calls work at the same moment, and how many ever did.
    private final class Gauge: Sendable {
        private let state = Mutex((now: 0, most: 0, all: 0))

        var most: Int { state.withLock { $0.most } }
        var all: Int { state.withLock { $0.all } }

        func enter() {
            state.withLock { state in
                state.now += 1
                state.all += 1
                state.most = max(state.most, state.now)
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }

    @Test func `take turns`() {
        let (turn, gauge) = (LargeCallTurn(), Gauge())
        DispatchQueue.concurrentPerform(iterations: 1_600) { _ in
            turn.take {
                gauge.enter()
                sched_yield()
                gauge.leave()
            }
        }
        #expect(gauge.most == 1)
        #expect(gauge.all == 1_600)
    }

    @Test func `give their turn back when they fail`() {
        let turn = LargeCallTurn()
        #expect(throws: Refusal()) {
            try turn.take { () throws(Refusal) in throw Refusal() }
        }
        #expect(turn.take { 1 } == 1)
    }
}
