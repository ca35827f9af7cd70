import Foundation
import Synchronization
import TestSupport
import Testing

@testable import KeychainEngine

/// A clock that a test moves.
private final class MovedClock: Sendable {
    private let time = Mutex(ContinuousClock.now)

    func now() -> ContinuousClock.Instant { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

@Suite struct `Waiting for another writer` {
    @Test(arguments: [Int32](0..<40))
    func `looks again after half a millisecond, however often it looked before`(looks: Int32) {
        let wait = BusyWait(milliseconds: 5000)
        _ = wait.pause(after: 0)
        #expect(wait.pause(after: looks) == 500)
    }

    @Test func `ends when the time is up, and not before`() {
        let clock = MovedClock()
        let wait = BusyWait(milliseconds: 5000, now: clock.now)
        #expect(wait.pause(after: 0) != nil)
        clock.advance(by: .milliseconds(4999))
        #expect(wait.pause(after: 9) != nil)
        clock.advance(by: .milliseconds(1))
        #expect(wait.pause(after: 10) == nil)
    }

    @Test func `starts anew for the next lock`() {
        let clock = MovedClock()
        let wait = BusyWait(milliseconds: 5, now: clock.now)
        _ = wait.pause(after: 0)
        clock.advance(by: .seconds(1))
        #expect(wait.pause(after: 1) == nil)
        #expect(wait.pause(after: 0) != nil)
    }

    @Test func `is over at once where nobody may wait`() {
        #expect(BusyWait(milliseconds: 0).pause(after: 0) == nil)
    }

    /// The other connection's transactions last 20 ms, and half a millisecond lies between two.
    ///
    /// It ends after 40 of them, so that the test ends, too.
    @Test func `gets in between two transactions of a writer that never rests`() throws {
        let path = NSTemporaryDirectory() + "busy-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let isThrough = Atomic(false)
        let left = Atomic(40)
        let hasBegun = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [path] in
            let busy = try? SQLiteConnection(opening: path)
            if let busy {
                while !isThrough.load(ordering: .acquiring), left.load(ordering: .relaxed) > 0 {
                    try? busy.execute("BEGIN IMMEDIATE")
                    if left.load(ordering: .relaxed) == 40 { hasBegun.signal() }
                    spend(.milliseconds(20))
                    try? busy.execute("ROLLBACK")
                    left.subtract(1, ordering: .relaxed)
                    spend(.microseconds(500))
                }
            }
            hasBegun.signal()
            isOver.signal()
        }
        hasBegun.wait()
        let patient = try SQLiteConnection(opening: path)
        try patient.execute("BEGIN IMMEDIATE")
        isThrough.store(true, ordering: .releasing)
        try patient.execute("ROLLBACK")
        isOver.wait()
        #expect(left.load(ordering: .relaxed) > 0)
    }
}

/// Keeps the thread busy.
private func spend(_ duration: Duration) {
    let end = ContinuousClock.now.advanced(by: duration)
    while ContinuousClock.now < end {}
}
