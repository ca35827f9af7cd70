import Testing

@testable import Cryptography

@Suite struct `Calibrating the cost of a guess` {
    /// Calibrates on a machine that needs the given time for one pass over one MiB.
    private func calibrated(target: Duration, perPassOverMiB: Duration) -> Argon2id.Cost {
        Argon2id.calibrated(target: target) { cost in
            perPassOverMiB * Int(cost.memoryKiB / 1024) * Int(cost.passes)
        }
    }

    @Test func `stays at the minimum on a machine that is too slow`() {
        let cost = calibrated(target: .milliseconds(10), perPassOverMiB: .seconds(1))
        #expect(cost == .minimum)
    }

    @Test func `raises memory first`() {
        let cost = calibrated(target: .milliseconds(200), perPassOverMiB: .milliseconds(1))
        #expect(cost == Argon2id.Cost(memoryKiB: 100 * 1024, passes: 2, lanes: 1))
    }

    @Test func `raises passes once the memory is at its limit`() {
        let cost = calibrated(target: .milliseconds(1024), perPassOverMiB: .milliseconds(1))
        #expect(cost == Argon2id.Cost(memoryKiB: 256 * 1024, passes: 4, lanes: 1))
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
        #expect(reading == .milliseconds(40))
    }
}
