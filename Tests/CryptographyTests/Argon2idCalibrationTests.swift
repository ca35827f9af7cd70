import TestSupport
import Testing

@testable import Cryptography

/// A machine that other programs use as well, so that its wall clock goes faster than the work.
private struct BusyMachine {
    /// What one pass over one MiB takes of the processor.
    var perPassOverMiB = Duration.milliseconds(1)
    /// How much slower the processor is in each trial, in turn: caches and memory are shared, too.
    var slowdowns = [1]

    func calibrated(target: Duration, wallTimesWork factor: Int = 1) -> Argon2id.Cost {
        var trials = 0
        return Argon2id.calibrated(target: target) { cost in
            defer { trials += 1 }
            let work = perPassOverMiB * Int(cost.memoryKiB / 1024) * Int(cost.passes)
            return work * slowdowns[trials % slowdowns.count] * factor
        }
    }
}

@Suite struct `Calibrating the cost of a guess` {
    /// Calibrates on a machine that needs the given time for one pass over one MiB.
    private func calibrated(target: Duration, perPassOverMiB: Duration) -> Argon2id.Cost {
        BusyMachine(perPassOverMiB: perPassOverMiB).calibrated(target: target)
    }

    @Test(.requirement("LCK-08"), .contradiction("stretching-rounds"))
    func `never goes below 64 MiB and 3 passes`() {
        #expect(Argon2id.Cost.minimum == Argon2id.Cost(memoryKiB: 64 * 1024, passes: 3, lanes: 1))
        let cost = calibrated(target: .milliseconds(10), perPassOverMiB: .seconds(1))
        #expect(cost == .minimum)
    }

    @Test(
        .requirement("LCK-08"),
        arguments: [
            (Duration.microseconds(2000), Argon2id.Cost(memoryKiB: 83 * 1024, passes: 3, lanes: 1)),
            (.microseconds(1000), Argon2id.Cost(memoryKiB: 166 * 1024, passes: 3, lanes: 1)),
            (.microseconds(400), Argon2id.Cost(memoryKiB: 256 * 1024, passes: 4, lanes: 1)),
            (.microseconds(100), Argon2id.Cost(memoryKiB: 256 * 1024, passes: 19, lanes: 1)),
        ]
    )
    func `fills half a second with memory first, then with passes`(
        perPassOverMiB: Duration,
        expected: Argon2id.Cost
    ) {
        let cost = calibrated(target: .milliseconds(500), perPassOverMiB: perPassOverMiB)
        #expect(cost.memoryKiB / 1024 == expected.memoryKiB / 1024)
        #expect(cost.passes == expected.passes)
        #expect(cost.lanes == 1)
    }

    @Test(.requirement("LCK-08"), arguments: [[1], [3, 1, 2], [1, 6, 6], [2, 6, 1]])
    func `believes the quickest trial, as a disturbed one tells too little`(slowdowns: [Int]) {
        let idle = BusyMachine().calibrated(target: .milliseconds(500))
        let busy = BusyMachine(slowdowns: slowdowns).calibrated(target: .milliseconds(500))
        #expect(busy == idle)
    }

    @Test func `would choose the least cost by a wall clock on a busy machine`() {
        let idle = BusyMachine().calibrated(target: .milliseconds(500))
        let byWall = BusyMachine().calibrated(target: .milliseconds(500), wallTimesWork: 6)
        #expect(byWall == .minimum)
        #expect(idle.memoryKiB > 2 * byWall.memoryKiB)
    }

    @Test func `stops at the limits on a clock that stands still`() {
        let cost = calibrated(target: .seconds(1), perPassOverMiB: .zero)
        #expect(cost == Argon2id.Cost(memoryKiB: 256 * 1024, passes: 64, lanes: 1))
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `stays at the minimum without time to spend`(target: Duration) {
        #expect(calibrated(target: target, perPassOverMiB: .milliseconds(1)) == .minimum)
    }

    @Test func `stays at the minimum when the larger memory is not to be had`() {
        let cost = Argon2id.calibrated(target: .seconds(1)) { cost in
            cost == .minimum ? .milliseconds(100) : nil
        }
        #expect(cost == .minimum)
    }

    @Test func `measures real derivations with the given clock`() {
        var reading = Duration.zero
        let cost = Argon2id.calibrated(target: .milliseconds(5)) {
            reading += .milliseconds(10)
            return reading
        }
        #expect(cost == .minimum)
        #expect(reading == .milliseconds(10) * 2 * 2 * Argon2id.trialCount)
    }
}
