import TestSupport
import Testing

@testable import KeychainSimulator

@Suite struct `A random walk` {
    /// Seeds that are walked in every run of the tests; `keychain-torture walk` takes fresh ones.
    private static let seeds: [UInt64] = Array(1...16)

    @Test(arguments: seeds)
    func `leads the device where it leads the reference`(seed: UInt64) throws {
        let difference = try RandomWalk(seed: seed, length: 300).run()
        #expect(difference == nil, "seed \(seed)\n\(difference?.description ?? "")")
    }

    @Test(arguments: seeds)
    func `leaves no row but those that were written last`(seed: UInt64) throws {
        var walk = try SimulatedWalk(passcode: RandomWalk.passcode)
        for step in RandomWalk(seed: seed, length: 300).steps { _ = walk.take(step) }
        #expect(try walk.faultCount() == 0, "seed \(seed)")
    }

    @Test(arguments: [0, -50, -25293, -25299, -25300, -25308, -34018] as [Int32])
    func `meets every outcome often`(status: Int32) {
        let count = Self.seeds.reduce(0) { count, seed in
            var reference = ReferenceKeychain(passcode: RandomWalk.passcode)
            let steps = RandomWalk(seed: seed, length: 300).steps
            return count + steps.count { reference.take($0).status == status }
        }
        #expect(count >= 100)
    }

    @Test func `takes the same steps for the same seed, and others for another`() {
        let steps = RandomWalk(seed: 1, length: 50).steps
        #expect(RandomWalk(seed: 1, length: 50).steps == steps)
        #expect(RandomWalk(seed: 2, length: 50).steps != steps)
    }
}

/// A keychain that forgets every item when it is locked for the second time.
private struct ForgetfulKeychain: WalkSubject {
    private var reference = ReferenceKeychain(passcode: RandomWalk.passcode)
    private var lockCount = 0

    mutating func take(_ step: WalkStep) -> WalkOutcome {
        let outcome = reference.take(step)
        guard case .lock = step else { return outcome }
        lockCount += 1
        if lockCount == 2 { reference = ReferenceKeychain(passcode: nil) }
        return outcome
    }
}

@Suite struct `A walk that finds a difference` {
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `is shortened to what it takes to show it`(seed: UInt64) throws {
        let steps = RandomWalk(seed: seed, length: 300).steps
        let found = try RandomWalk.difference(steps) { ForgetfulKeychain() }
        let difference = try #require(found)
        #expect(difference.steps.count <= 10, "\(difference)")
        let isNeeded = try difference.steps.indices.map { index in
            var fewer = difference.steps
            fewer.remove(at: index)
            return try RandomWalk.difference(fewer) { ForgetfulKeychain() } == nil
        }
        #expect(isNeeded.allSatisfy { $0 }, "\(difference)")
        #expect(
            difference.steps.count {
                if case .lock = $0 { true } else { false }
            } == 2
        )
        #expect(difference.found != difference.expected)
    }
}
