import KeychainSockets
import TestSupport
import Testing

extension WaitingHabit {
    /// The habit of a thread whose waits ended so; nil slept at once.
    fileprivate init(_ waits: [Bool?]) {
        self.init()
        for found in waits {
            if let found { look(found: found) } else { sleep() }
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
    @Test func `sleeps at first`() {
        #expect(!WaitingHabit().looks)
    }

    @Test func `looks once after thirty-two waits`() {
        #expect(WaitingHabit().sleepCount == 32)
        #expect(WaitingHabit([false]).sleepCount == 32)
    }

    @Test func `goes on looking while that finds something`() {
        #expect(WaitingHabit([true]).looks)
        #expect(WaitingHabit(Array(repeating: true, count: 1_000)).looks)
    }

    @Test func `stops after a few looks in vain`() {
        let found: [Bool?] = Array(repeating: true, count: 1_000)
        #expect(WaitingHabit(found + [false, false, false]).looks)
        #expect(!WaitingHabit(found + [false, false, false, false]).looks)
        #expect(!WaitingHabit([true, false, false]).looks)
    }

    @Test func `looks again as soon as one trial finds something`() {
        let asleep: [Bool?] = [true, false, false] + Array(repeating: nil, count: 32)
        #expect(WaitingHabit(asleep).looks)
        #expect(WaitingHabit(asleep + [true]).looks)
        #expect(!WaitingHabit(asleep + [false]).looks)
    }

    @Test func `keeps its habit in two bytes`() {
        let habit = WaitingHabit([true, true, false, nil, nil])
        let kept = WaitingHabit.decodeAtomicRepresentation(
            WaitingHabit.encodeAtomicRepresentation(habit)
        )
        #expect(kept == habit)
    }
}
