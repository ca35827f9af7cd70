import Cryptography

/// A random sequence of steps for a simulated device and the reference.
///
/// If they differ, it finds the shortest sequence that still shows the difference.
package struct RandomWalk: Sendable {
    package let seed: UInt64
    package let length: Int

    package init(seed: UInt64, length: Int) {
        self.seed = seed
        self.length = length
    }

    /// A difference between the device and the reference.
    package struct Difference: Sendable, CustomStringConvertible {
        /// The steps up to the one that differed, including it.
        package let steps: [WalkStep]
        package let found: WalkOutcome
        package let expected: WalkOutcome

        package var description: String {
            let lines = steps.enumerated().map { "  \($0 + 1). \($1)" }
            return (lines + ["  device: \(found)", "  reference: \(expected)"])
                .joined(separator: "\n")
        }
    }

    package static let passcode = "0000"

    package var steps: [WalkStep] {
        var random = SeededNumbers(seed: seed)
        return (0..<length).map { WalkStep.random(number: $0, &random) }
    }

    /// Runs the walk to its end, or to the first difference, which it shortens.
    ///
    /// - Returns: The difference; nil if device and reference agree.
    /// - Throws: The error of making a device.
    package func run() throws -> Difference? {
        try Self.difference(steps) { try SimulatedWalk(passcode: Self.passcode) }
    }

    /// Runs the steps on any subject, which is made again for each try.
    package static func difference<Subject: WalkSubject>(
        _ steps: [WalkStep],
        on make: () throws -> Subject
    ) throws -> Difference? {
        guard var shortest = try firstDifference(steps, on: make) else { return nil }
        while true {
            let before = shortest.steps.count
            var size = before / 2
            while size > 0 {
                shortest = try shortened(shortest, byRemoving: size, on: make)
                size /= 2
            }
            if shortest.steps.count == before { return shortest }
        }
    }

    /// Removes every run of `size` steps that the difference does not need.
    private static func shortened<Subject: WalkSubject>(
        _ difference: Difference,
        byRemoving size: Int,
        on make: () throws -> Subject
    ) throws -> Difference {
        var shortest = difference
        var start = 0
        while start < shortest.steps.count {
            var fewer = shortest.steps
            fewer.removeSubrange(start..<min(start + size, fewer.count))
            if let shorter = try firstDifference(fewer, on: make) {
                shortest = shorter
            } else {
                start += size
            }
        }
        return shortest
    }

    private static func firstDifference<Subject: WalkSubject>(
        _ steps: [WalkStep],
        on make: () throws -> Subject
    ) throws -> Difference? {
        var subject = try make()
        var reference = ReferenceKeychain(passcode: passcode)
        for (index, step) in steps.enumerated() {
            let found = subject.take(step)
            let expected = reference.take(step)
            if found != expected {
                return Difference(
                    steps: Array(steps[...index]),
                    found: found,
                    expected: expected
                )
            }
        }
        return nil
    }
}
