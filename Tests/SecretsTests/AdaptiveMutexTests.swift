import Dispatch
import Secrets
import Testing

@Suite struct `A lock that is held briefly` {
    private struct Failure: Error {}

    @Test func `lends its value to one thread at a time`() {
        let lock = AdaptiveMutex((first: 0, second: 0))
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<2000 {
                lock.withLock { value in
                    value.first += 1
                    value.second = value.first
                }
            }
        }
        #expect(lock.withLock { $0.first } == 16_000)
        #expect(lock.withLock { $0.second } == 16_000)
    }

    @Test func `hands on what its body returns or throws, and is free afterwards`() {
        let lock = AdaptiveMutex([1])
        #expect(throws: Failure.self) { try lock.withLock { _ in throw Failure() } }
        #expect(lock.withLock { $0.popLast() } == 1)
        #expect(lock.withLock { $0.isEmpty })
    }
}
