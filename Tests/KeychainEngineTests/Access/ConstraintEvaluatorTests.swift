import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `What a constraint still needs` {
    private static let biometry = Constraint.factor(.biometry)
    private static let passcode = Constraint.factor(.passcode)
    private static let companion = Constraint.factor(.companion)
    private static let either = Constraint.any([biometry, passcode])
    private static let both = Constraint.all([biometry, passcode])
    private static let layered = Constraint.all([either, .factor(.applicationPassword)])

    /// How factors stand; one that is not named can be asked for.
    typealias FactorStates = [Factor: FactorState]

    private static let rows: [(Constraint, FactorStates, Verdict)] = [
        (biometry, [:], .ask(.biometry, hasFallback: false)),
        (biometry, [.biometry: .proven], .satisfied),
        (biometry, [.biometry: .refused(.userFallback)], .denied(.userFallback)),
        (biometry, [.biometry: .impossible(.biometryLockout)], .denied(.biometryLockout)),

        (either, [:], .ask(.biometry, hasFallback: true)),
        (either, [.passcode: .proven], .satisfied),
        (either, [.biometry: .proven], .satisfied),
        (
            either, [.biometry: .refused(.authenticationFailed)],
            .ask(.passcode, hasFallback: false)
        ),
        (
            either, [.biometry: .impossible(.biometryNotEnrolled)],
            .ask(.passcode, hasFallback: false)
        ),
        (either, [.passcode: .impossible(.passcodeNotSet)], .ask(.biometry, hasFallback: false)),
        (
            either,
            [
                .biometry: .impossible(.biometryNotEnrolled),
                .passcode: .impossible(.passcodeNotSet),
            ], .denied(.passcodeNotSet)
        ),
        (
            either,
            [
                .biometry: .refused(.authenticationFailed),
                .passcode: .impossible(.passcodeNotSet),
            ], .denied(.authenticationFailed)
        ),
        (
            either,
            [.biometry: .refused(.userFallback), .passcode: .refused(.authenticationFailed)],
            .denied(.authenticationFailed)
        ),
        (
            either,
            [.biometry: .refused(.userFallback), .passcode: .impossible(.authenticationFailed)],
            .denied(.userFallback)
        ),

        (both, [:], .ask(.biometry, hasFallback: false)),
        (both, [.biometry: .proven], .ask(.passcode, hasFallback: false)),
        (both, [.biometry: .proven, .passcode: .proven], .satisfied),
        (both, [.passcode: .impossible(.passcodeNotSet)], .denied(.passcodeNotSet)),
        (both, [.biometry: .refused(.userCancel)], .denied(.userCancel)),

        (layered, [:], .ask(.biometry, hasFallback: true)),
        (layered, [.passcode: .proven], .ask(.applicationPassword, hasFallback: false)),
        (
            layered, [.biometry: .proven, .applicationPassword: .refused(.authenticationFailed)],
            .denied(.authenticationFailed)
        ),
        (layered, [.passcode: .proven, .applicationPassword: .proven], .satisfied),
        (.any([biometry, companion, passcode]), [:], .ask(.biometry, hasFallback: true)),
        (.all([]), [:], .satisfied),
        (.any([]), [:], .denied(.authenticationFailed)),
    ]

    @Test(arguments: rows)
    func `follows from how its factors stand`(
        constraint: Constraint,
        factorStates: FactorStates,
        expected: Verdict
    ) {
        let evaluator = ConstraintEvaluator { factorStates[$0] ?? .askable }
        #expect(evaluator.verdict(on: constraint) == expected)
    }

    /// A constraint at random, at most 4 deep.
    private static func random(_ numbers: inout SeededNumbers, depth: Int = 0) -> Constraint {
        let isFactor = depth == 3 || numbers.next(below: 2) == 0
        guard !isFactor else { return .factor(numbers.pick(Factor.allCases)) }
        var parts: [Constraint] = []
        for _ in 0...(1 + numbers.next(below: 2)) {
            parts.append(random(&numbers, depth: depth + 1))
        }
        return numbers.next(below: 2) == 0 ? .any(parts) : .all(parts)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `is asked for until it is met or cannot be, and never twice`(seed: UInt64) {
        print("seed \(seed)")
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<50 {
            let constraint = Self.random(&numbers)
            let proven = Set(Factor.allCases.filter { _ in numbers.next(below: 2) == 0 })
            var factorStates: FactorStates = [:]
            var asked: [Factor] = []
            var verdict = Verdict.satisfied
            for _ in 0...Factor.allCases.count {
                verdict = ConstraintEvaluator { factorStates[$0] ?? .askable }.verdict(
                    on: constraint
                )
                guard case .ask(let factor, _) = verdict else { break }
                asked.append(factor)
                factorStates[factor] =
                    proven.contains(factor) ? .proven : .refused(.authenticationFailed)
            }
            #expect(Set(asked).count == asked.count)
            #expect((verdict == .satisfied) == constraint.holds(for: proven))
        }
    }
}

extension Constraint {
    /// What the constraint means, told once more and by another way.
    fileprivate func holds(for proven: Set<Factor>) -> Bool {
        switch self {
        case .factor(let factor): proven.contains(factor)
        case .any(let parts): parts.contains { $0.holds(for: proven) }
        case .all(let parts): parts.allSatisfy { $0.holds(for: proven) }
        }
    }
}
