import KeychainSockets
import TestSupport
import Testing

/// How a wait ended.
private enum Wait { case slept, found, foundNothing }

extension WaitingHabit {
    /// The habit of a thread whose waits ended so.
    fileprivate init(_ waits: [Wait]) {
        self = waits.reduce(into: WaitingHabit()) { habit, wait in
            if wait == .slept { habit.sleep() } else { habit.look(found: wait == .found) }
        }
    }

    /// How many waits in a row sleep, if nothing is ever found.
    fileprivate var sleepCount: Int {
        var (habit, count) = (self, 0)
        while !habit.looks, count < 1_000 {
            habit.sleep()
            count += 1
        }
        return count
    }
}

@Suite struct `A thread that waits` {
    private static let success = Array(repeating: Wait.found, count: 1_000)

    @Test func `sleeps at first`() {
        #expect(!WaitingHabit().looks)
    }

    @Test func `looks once after thirty-two waits`() {
        #expect(WaitingHabit().sleepCount == 32)
        #expect(WaitingHabit([.foundNothing]).sleepCount == 32)
    }

    @Test func `goes on looking while that finds something`() {
        #expect(WaitingHabit([.found]).looks)
        #expect(WaitingHabit(Self.success).looks)
    }

    @Test(arguments: [0, 1, 2, 3]) func `goes on after a few looks in vain`(count: Int) {
        let vain = Array(repeating: Wait.foundNothing, count: count)
        #expect(WaitingHabit(Self.success + vain).looks)
    }

    @Test func `stops after four looks in vain, and after two where one found something`() {
        let vain = Array(repeating: Wait.foundNothing, count: 4)
        #expect(!WaitingHabit(Self.success + vain).looks)
        #expect(!WaitingHabit([.found, .foundNothing, .foundNothing]).looks)
    }

    @Test func `looks again as soon as one trial finds something`() {
        let asleep = Array(repeating: Wait.slept, count: 32)
        #expect(WaitingHabit(asleep).looks)
        #expect(WaitingHabit(asleep + [.found]).looks)
        #expect(!WaitingHabit(asleep + [.foundNothing]).looks)
    }

    @Test func `keeps its habit in two bytes`() {
        let habit = WaitingHabit([.found, .found, .foundNothing, .slept, .slept])
        let kept = WaitingHabit.decodeAtomicRepresentation(
            WaitingHabit.encodeAtomicRepresentation(habit)
        )
        #expect(kept == habit)
    }
}
